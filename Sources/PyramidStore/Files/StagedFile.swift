import PyramidPlatform
import PyramidTiles
import Synchronization

/// The new content of a file, under a temporary name until it is complete, so that readers see either the old file or
/// the new one. It is removed unless it is published.
package final class StagedFile: Sendable {
    private let folder: DirectoryHandle
    private let name: String
    private let descriptor: Int32
    private let isOpen = Atomic(true)
    private let isStaged = Atomic(true)

    private var temporaryName: String { name + TileStorage.temporarySuffix }

    /// Creates the temporary file. Replaces one that a killed process has left.
    package init(_ name: String, in folder: DirectoryHandle) throws(OutputError) {
        (self.folder, self.name) = (folder, name)
        let temporary = name + TileStorage.temporarySuffix
        if let file = try folder.createFile(temporary) {
            descriptor = file
        } else {
            _ = try folder.remove(temporary)
            guard let file = try folder.createFile(temporary) else { throw folder.failure(temporary) }
            descriptor = file
        }
    }

    deinit { abandon() }

    /// - Parameter offset: where to write; `nil` to append to the last such write.
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int? = nil) throws(OutputError) {
        guard writeFully(bytes, to: descriptor, at: offset) else { throw folder.failure(temporaryName) }
    }

    package func write(_ bytes: ArraySlice<UInt8>) throws(OutputError) {
        guard bytes.withUnsafeBytes({ writeFully($0, to: descriptor) }) else { throw folder.failure(temporaryName) }
    }

    /// Gives the new file the permissions of the old one.
    func keepPermissions() {
        if let mode = folder.permissions(of: name) { _ = uninterrupted { fchmod(descriptor, mode) } }
    }

    /// Replaces the file.
    /// - Parameter syncs: whether to wait until the content, and then the name, is on disk.
    package func publish(syncs: Bool = false) throws(OutputError) {
        if syncs { try DirectoryHandle.sync(descriptor, folder.path + "/" + temporaryName) }
        try finish()
        guard uninterrupted({ renameat(folder.descriptor, temporaryName, folder.descriptor, name) }) == 0 else {
            let error = folder.failure(name)
            abandon()
            throw error
        }
        isStaged.store(false, ordering: .relaxed)
        if syncs { try folder.syncNames() }
    }

    /// Closes the file. Throws if the system couldn't take all of its content.
    func finish() throws(OutputError) {
        guard isOpen.exchange(false, ordering: .relaxed) else { return }
        // `close` closes the file even if it is interrupted.
        guard close(descriptor) == 0 || errno == EINTR else {
            let error = folder.failure(temporaryName)
            abandon()
            throw error
        }
    }

    /// Removes the temporary file, unless it was published.
    package func abandon() {
        if isOpen.exchange(false, ordering: .relaxed) { close(descriptor) }
        if isStaged.exchange(false, ordering: .relaxed) { _ = try? folder.remove(temporaryName) }
    }
}

/// Replacing files as a whole.
extension DirectoryHandle {
    /// Writes `bytes` to a file, unless it already holds them.
    /// - Parameter mayReplace: whether an existing file with other content may be replaced; called only if there is
    ///   one.
    /// - Returns: whether the file was written.
    package func update(
        _ name: String, with bytes: UnsafeRawBufferPointer, mayReplace: () -> Bool = { true }
    ) throws(OutputError) -> Bool {
        if try create(name, with: bytes) { return true }
        if holds(name, bytes) { return false }
        guard mayReplace() else {
            throw OutputError(
                .failed, path + "/" + name, "is a file that pyramid did not write; move it away")
        }
        let file = try StagedFile(name, in: self)
        try file.write(bytes)
        try file.publish()
        return true
    }

    /// Writes content to a file piece by piece, unless it already holds that content.
    /// - Parameter forEachPiece: passes all pieces to its argument; is called up to twice.
    package func update(
        _ name: String, forEachPiece: ((UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) -> Void
    ) throws(OutputError) {
        if try holds(name, forEachPiece) { return }
        let file = try StagedFile(name, in: self)
        try forEachPiece { piece throws(OutputError) in try file.write(piece) }
        try file.publish()
    }

    private func holds(
        _ name: String,
        _ forEachPiece: ((UnsafeRawBufferPointer) throws(OutputError) -> Void) throws(OutputError) -> Void
    ) throws(OutputError) -> Bool {
        let file = openForReading(name)
        guard file >= 0 else { return false }
        defer { close(file) }
        var isSame = true
        try forEachPiece { piece throws(OutputError) in
            isSame = isSame && DirectoryHandle.isNext(piece, in: file)
        }
        return isSame
            && withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
                readFully(file, into: $0) == 0
            }
    }

    /// Replaces a file with a copy of an open one, with only a piece of it in memory at a time.
    /// - Parameter syncs: whether to wait until the content, and then the name, is on disk.
    package func copy(_ source: OpenedFile, as name: String, syncs: Bool = false) throws(OutputError) {
        let file = try StagedFile(name, in: self)
        for range in (0..<source.byteCount).split(every: OpenedFile.stepBytes) {
            let piece: [UInt8]
            do throws(StoreError) {
                piece = try source.bytes(range)
            } catch {
                throw OutputError(.failed, source.path, "\(error.reason)")
            }
            try file.write(piece[...])
        }
        try file.publish(syncs: syncs)
    }

    /// Gives an open file a second name, which stays whatever a build does to the first: a hard link, else a copy.
    package func pin(_ source: OpenedFile, as name: String) throws(OutputError) {
        if uninterrupted({ linkat(AT_FDCWD, source.path, descriptor, name, AT_SYMLINK_FOLLOW) }) == 0 {
            if FileVersion(of: path + "/" + name) == source.version { return }
            _ = try remove(name)
        }
        try copy(source, as: name)
    }
}
