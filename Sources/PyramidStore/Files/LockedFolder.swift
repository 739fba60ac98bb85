import PyramidPlatform

/// A folder with a marker file that keeps builds and publishes of other processes away as long as this object exists.
public final class LockedFolder: Sendable {
    package let folder: DirectoryHandle
    /// Whether an earlier build or publish was interrupted.
    package var followsInterruption: Bool { lock.followsInterruption }
    let lock: BuildLock
    /// Whether the folder was missing.
    private let isMade: Bool
    private let syncs: Bool
    /// The name of the marker.
    private let marker: String

    /// Creates the folder if it is missing, and marks it. If that fails, the folder is left as it was.
    /// - Parameters:
    ///   - marker: the name of the marker file.
    ///   - what: what the lock protects, for the message.
    ///   - syncs: whether to wait until the marker is on disk, so that whatever comes later is known to be unfinished.
    package init(
        _ path: String, marker: String, of what: String = "directory", syncs: Bool
    ) throws(OutputError) {
        (self.marker, self.syncs) = (marker, syncs)
        isMade = access(path, F_OK) != 0
        folder = try DirectoryHandle(making: path)
        do throws(OutputError) {
            lock = try BuildLock(path: path + "/" + marker, of: what)
        } catch {
            if isMade { rmdir(path) }
            throw error
        }
        guard syncs else { return }
        do throws(OutputError) {
            try lock.sync()
            try folder.syncNames()
        } catch {
            undo()
            throw error
        }
    }

    /// States that everything is as it should be. The lock is held as long as the object exists.
    package func removeMarker() throws(OutputError) {
        // Not by its path: meanwhile another folder, with a marker of its own, may be there.
        _ = try folder.remove(marker)
        if syncs { try folder.syncNames() }
    }

    /// Removes the folder if it was missing and is empty.
    package func removeIfMade() {
        if isMade { rmdir(folder.path) }
    }

    /// Leaves the folder as it was before, if nothing else has changed.
    package func undo() {
        if !followsInterruption { try? removeMarker() }
        removeIfMade()
    }
}
