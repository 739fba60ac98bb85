import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Uploads and removals, a batch of files at a time. Each batch is stated at the destination before it begins.
extension Publisher {
    /// The entries from an index on that are uploaded together: files of one type, which have the same headers.
    func batch(of plan: PublishingPlan, from start: Int) -> ArraySlice<FileList.Entry> {
        let rest = plan.entries[start...].prefix(batchCount)
        guard let first = rest.first else { return rest }
        let headers = caching.headers(of: first.address, plan.storage)
        return rest.prefix { caching.headers(of: $0.address, plan.storage) == headers }
    }

    /// - Parameter turn: has stated the first batch.
    func uploadEntries(of plan: PublishingPlan, _ turn: inout PublishingTurn, _ progress: (Progress) -> Void) throws {
        let clock = ContinuousClock()
        var noted = clock.now
        var byteCount = 0
        var settled = RangeSet(0..<plan.settled.count)
        var batch = batch(of: plan, from: 0)
        while !batch.isEmpty {
            let headers = caching.headers(of: plan.entries[batch.startIndex].address, plan.storage)
            let scratch = tileset.directoryPath == nil ? try ScratchDirectory() : nil
            for entry in batch {
                let bytes = try bytes(of: entry)
                _ = try scratch?.file(plan.storage.relativePath(of: entry.address), bytes)
            }
            let paths = batch.map { plan.storage.relativePath(of: $0.address) }
            var missing = Dictionary(uniqueKeysWithValues: zip(paths, batch.indices))
            func settle(_ path: String) {
                guard let index = missing.removeValue(forKey: path) else { return }
                settled.insert(contentsOf: plan.items(of: plan.entries[index...index]))
                byteCount += plan.entries[index].file.byteCount
                let done = batch.endIndex - missing.count
                progress(.uploading(filesDone: done, of: plan.entries.count, byteCount: byteCount))
            }
            do {
                try destination.upload(paths, from: tileset.directoryPath ?? scratch?.path("") ?? "", headers) { path in
                    settle(path)
                    guard clock.now - noted >= noteInterval else { return }
                    try turn.note(settled: settled, open: plan.items(of: batch))
                    noted = clock.now
                }
            } catch {
                if (error as? PublishingError)?.kind != .busy { try? turn.note(settled: settled) }
                throw error
            }
            for path in paths { settle(path) }
            batch = self.batch(of: plan, from: batch.endIndex)
            if !batch.isEmpty { try turn.note(settled: settled, open: plan.items(of: batch)) }
            noted = clock.now
        }
    }

    /// A file that doesn't match the list is not published.
    private func bytes(of entry: FileList.Entry) throws -> [UInt8] {
        let bytes = try tileset.storedBytes(of: entry.address, limitBytes: TileStorage.tileLimitBytes)
        guard bytes.count == entry.file.byteCount, Gzip.crc32(bytes) == entry.file.crc32 else {
            let path = tileset.path(ofFile: tileset.storage.relativePath(of: entry.address))
            throw StoreError(path: path, reason: .notAsListed)
        }
        return bytes
    }

    func remove(_ plan: PublishingPlan, _ turn: inout PublishingTurn, _ progress: (Progress) -> Void) throws {
        let paths = plan.removals
        for start in stride(from: 0, to: paths.count, by: batchCount) {
            let end = min(start + batchCount, paths.count)
            // Files beside the tiles come last, and are no items of the journal.
            let entryCount = plan.entryRemovals.count
            let first = plan.settledByUploads.ranges.last?.upperBound ?? 0
            try turn.note(
                settled: RangeSet(0..<first + min(start, entryCount)),
                open: first + min(start, entryCount)..<first + min(end, entryCount), opensMetadata: end > entryCount)
            try destination.remove(Array(paths[start..<end]))
            progress(.removing(filesDone: end, of: paths.count))
        }
    }
}

extension PublishingPlan {
    /// The indices of entries among the journal's items.
    func items(of entries: ArraySlice<FileList.Entry>) -> Range<Int> {
        settled.count + entries.startIndex..<settled.count + entries.endIndex
    }

    /// The items that are done when all uploads are.
    var settledByUploads: RangeSet<Int> { RangeSet(0..<settled.count + entries.count) }
}
