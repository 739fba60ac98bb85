import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Uploads and removals, a batch of files at a time. Each batch of uploads is noted at the destination when it is done.
extension Publisher {
    /// The entries from an index on that are uploaded together: files of one type, which have the same headers.
    func batch(of plan: PublishingPlan, from start: Int) -> ArraySlice<FileList.Entry> {
        let rest = plan.entries[start...].prefix(batchCount)
        guard let first = rest.first else { return rest }
        let headers = fileCaching.headers(of: first.address, plan.storage)
        return rest.prefix { fileCaching.headers(of: $0.address, plan.storage) == headers }
    }

    /// - Parameter checkIsUnchanged: throws if the tileset was built again meanwhile.
    func uploadEntries(
        of plan: PublishingPlan, _ turn: inout PublishingTurn, checkIsUnchanged: () throws -> Void,
        _ progress: (Progress) -> Void
    ) throws {
        var byteCount = 0
        var batch = batch(of: plan, from: 0)
        while !batch.isEmpty {
            let headers = fileCaching.headers(of: plan.entries[batch.startIndex].address, plan.storage)
            let scratch = tileset.directoryPath == nil ? try ScratchDirectory() : nil
            for entry in batch {
                let bytes = try bytes(of: entry)
                _ = try scratch?.file(plan.storage.relativePath(of: entry.address), bytes)
            }
            var there = batch.startIndex
            /// Hosts are sent several files at once, so until the batch ends, the number of bytes is about right.
            func report(_ count: Int) {
                turn.hasChanges = true
                let end = min(batch.startIndex + count, batch.endIndex)
                while there < end {
                    byteCount += plan.entries[there].file.byteCount
                    there += 1
                    progress(.uploading(filesDone: there, of: plan.entries.count, byteCount: byteCount))
                }
            }
            let paths = batch.map { plan.storage.relativePath(of: $0.address) }
            try destination.upload(
                paths, from: tileset.directoryPath ?? scratch?.path("") ?? "", to: plan.folder, headers,
                progress: report)
            report(batch.count)
            do { try checkIsUnchanged() } catch {
                // The files of a version are known by their sizes alone.
                if plan.unfinishedVersions != nil { try destination.remove(paths.map { plan.folder + $0 }) }
                throw error
            }
            try turn.note(doneCount: plan.settled.count + batch.endIndex)
            batch = self.batch(of: plan, from: batch.endIndex)
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

    func remove(_ paths: [String], _ progress: (Progress) -> Void) throws {
        for start in stride(from: 0, to: paths.count, by: batchCount) {
            let end = min(start + batchCount, paths.count)
            try destination.remove(Array(paths[start..<end]))
            progress(.removing(filesDone: end, of: paths.count))
        }
    }
}
