import Foundation
import TestSupport
import Testing

@testable import PyramidStore

struct LockedFolderTests {
    private let scratch: TemporaryFolder
    private var path: String { scratch.path("out") }

    init() throws { scratch = try TemporaryFolder() }

    private func lockedFolder() throws -> LockedFolder { try LockedFolder(path, marker: ".marker", syncs: true) }

    /// Moves the folder away and locks another one in its place.
    private func replaceFolder() throws -> LockedFolder {
        try FileManager.default.moveItem(atPath: path, toPath: scratch.path("moved"))
        return try lockedFolder()
    }

    @Test func `a folder that was moved away loses its marker, and another one in its place keeps its own`() throws {
        let moved = try lockedFolder()
        let other = try replaceFolder()
        try moved.removeMarker()
        #expect(scratch.text("moved/.marker") == nil)
        #expect(scratch.text("out/.marker") != nil)
        withExtendedLifetime(other) {}
    }

    @Test func `undoing leaves the folder that is now in the place as it is`() throws {
        let moved = try lockedFolder()
        let other = try replaceFolder()
        moved.undo()
        #expect(scratch.text("moved/.marker") == nil)
        #expect(scratch.text("out/.marker") != nil)
        withExtendedLifetime(other) {}
    }

    @Test func `a folder that was missing is missing again, one that was marked stays marked`() throws {
        try lockedFolder().undo()
        #expect(!FileManager.default.fileExists(atPath: path))
        withExtendedLifetime(try lockedFolder()) {}
        let again = try lockedFolder()
        #expect(again.followsInterruption)
        again.undo()
        #expect(scratch.text("out/.marker") != nil)
    }
}
