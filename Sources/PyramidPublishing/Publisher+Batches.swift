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
            try destination.upload(
                batch.map { plan.folder + plan.storage.relativePath(of: $0.address) }, headers
            ) { index in
                do {
                    return try bytes(of: batch[batch.startIndex + index])
                } catch {
                    try checkIsUnchanged()
                    throw error
                }
            } progress: {
                report($0)
            }
            report(batch.count)
            try turn.note(doneCount: plan.settled.count + batch.endIndex)
            batch = self.batch(of: plan, from: batch.endIndex)
        }
    }

    /// A file that doesn't match the list is not published. These very bytes are uploaded, whatever happens to the file.
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
