import PyramidPlatform
import PyramidStore
import PyramidTiles

/// Uploads and removals, a batch of files at a time. Each batch of uploads is noted at the destination when it is done.
extension Publisher {
    /// - Parameter checkIsUnchanged: throws if the tileset was built again meanwhile.
    func uploadEntries(
        of plan: PublishingPlan, _ turn: inout PublishingTurn, checkIsUnchanged: () throws -> Void,
        _ progress: (Progress) -> Void
    ) throws {
        var byteCount = 0
        let headers = fileCaching.tileHeaders(plan.storage)
        for batch in plan.entries.indices.split(every: batchCount).map({ plan.entries[$0] }) {
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
            let paths = batch.map { plan.folder + plan.storage.relativePath(of: $0.address) }
            func content(_ index: Int) throws -> [UInt8] {
                do { return try bytes(of: batch[batch.startIndex + index]) } catch {
                    try checkIsUnchanged()
                    throw error
                }
            }
            try destination.upload(paths, headers, content: content, progress: report)
            report(batch.count)
            try turn.note(doneCount: plan.settled.count + batch.endIndex)
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
        for range in paths.indices.split(every: batchCount) {
            try destination.remove(Array(paths[range]))
            progress(.removing(filesDone: range.upperBound, of: paths.count))
        }
    }
}
