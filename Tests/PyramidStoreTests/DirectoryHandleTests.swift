import Foundation
import TestSupport
import Testing

@testable import PyramidStore
@testable import PyramidTiles

struct DirectoryHandleTests {
    private let scratch: TemporaryFolder
    private let handle: DirectoryHandle

    init() throws {
        scratch = try TemporaryFolder()
        handle = try DirectoryHandle(path: scratch.path)
    }

    private func update(_ name: String, _ text: String, mayReplace: Bool = true) throws -> Bool {
        try Array(text.utf8).withUnsafeBytes { try handle.update(name, with: $0) { mayReplace } }
    }

    private func update(_ name: String, pieces: [String]) throws {
        try handle.update(name) { take throws(OutputError) in
            for piece in pieces {
                // A closure of `withUnsafeBytes` throws any error.
                let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: piece.utf8.count, alignment: 1)
                defer { bytes.deallocate() }
                bytes.copyBytes(from: piece.utf8)
                try take(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    @Test func `a file is made, left alone and replaced whole`() throws {
        #expect(try update("a", "one"))
        let first = scratch.fileNumber("a")
        #expect(try !update("a", "one"))
        #expect(scratch.fileNumber("a") == first)

        let reader = try #require(FileHandle(forReadingAtPath: scratch.path("a")))
        defer { try? reader.close() }
        #expect(try update("a", "three"))
        #expect(scratch.text("a") == "three")
        // Whoever had it open goes on reading what was there.
        #expect(try reader.readToEnd() == Data("one".utf8))
        // What only begins with the same bytes is another file.
        #expect(try update("a", "thre"))
        #expect(scratch.text("a") == "thre")
        #expect(try scratch.names() == ["a"])
    }

    @Test func `a file that must not be replaced is an error, except where it holds the bytes already`() throws {
        try scratch.file("a", "precious")
        let error = #expect(throws: OutputError.self) { try update("a", "new", mayReplace: false) }
        #expect(error?.kind == .failed && error?.description.hasPrefix(scratch.path("a") + ": ") == true)
        #expect(scratch.text("a") == "precious")
        #expect(try !update("a", "precious", mayReplace: false))
        #expect(try update("b", "new", mayReplace: false))
    }

    @Test func `content of many pieces is compared and written as one`() throws {
        try update("a", pieces: ["one ", "", "two"])
        #expect(scratch.text("a") == "one two")
        let first = scratch.fileNumber("a")
        try update("a", pieces: ["o", "ne two"])
        #expect(scratch.fileNumber("a") == first)
        for pieces in [["one", " ", "too"], ["one two", "!"], ["one"], []] {
            try update("a", pieces: pieces)
            #expect(scratch.text("a") == pieces.joined())
        }
        #expect(try scratch.names() == ["a"])
    }

    @Test func `temporary files of a stopped build are no obstacle`() throws {
        let temporary = "a" + TileStorage.temporarySuffix
        for _ in 0..<2 {
            try scratch.file("a", "old")
            try scratch.file(temporary, "half of what a stopped build wr")
            try update("a", pieces: ["ne", "w"])
            #expect(scratch.text("a") == "new")
            try scratch.file(temporary, "half of what a stopped build wr")
            #expect(try update("a", "newer"))
            #expect(scratch.text("a") == "newer")
            #expect(try scratch.names() == ["a"])
        }
    }

    @Test(arguments: [false, true])
    func `what is staged is not seen before it is published, and is removed unless it is`(syncs: Bool) throws {
        try scratch.file("a", "old")
        do {
            let file = try StagedFile("a", in: handle)
            try file.write(Array("ne".utf8)[...])
            try file.write(Array("w".utf8)[...])
            #expect(scratch.text("a") == "old")
            #expect(try scratch.names() == ["a", "a" + TileStorage.temporarySuffix])
        }
        #expect(try scratch.names() == ["a"])
        #expect(scratch.text("a") == "old")
        let abandoned = try StagedFile("a", in: handle)
        abandoned.abandon()
        #expect(try scratch.names() == ["a"])
        let file = try StagedFile("a", in: handle)
        try Array("wer".utf8).withUnsafeBytes { try file.write($0, at: 2) }
        try Array("ne".utf8).withUnsafeBytes { try file.write($0, at: 0) }
        try file.publish(syncs: syncs)
        file.abandon()
        #expect(scratch.text("a") == "newer")
        #expect(try scratch.names() == ["a"])
    }

    @Test func `links are replaced and not followed`() throws {
        let elsewhere = try TemporaryFolder()
        try elsewhere.file("file", "precious")
        for (name, target) in [("link", elsewhere.path("file")), ("folder", elsewhere.path), ("nowhere", "/no/such")] {
            try FileManager.default.createSymbolicLink(atPath: scratch.path(name), withDestinationPath: target)
            #expect(handle.contains(name))
        }
        #expect(throws: OutputError.self) { try handle.content(of: "link") }
        #expect(handle.start(of: "link", count: 3) == nil)
        #expect(throws: OutputError.self) { try handle.directory("folder") }
        #expect(try handle.directoryIfOne("folder") == nil)
        #expect(try update("link", "precious"))
        #expect(try update("nowhere", "new"))
        #expect(try handle.remove("folder"))
        #expect(scratch.text("link") == "precious" && scratch.text("nowhere") == "new")
        #expect(try elsewhere.names() == ["file"])
        #expect(elsewhere.text("file") == "precious")
    }

    @Test func `files are read whole, by their start, and by their size`() throws {
        try scratch.file("a", "0123456789")
        try scratch.file("empty", "")
        #expect(try handle.content(of: "a") == Array("0123456789".utf8))
        #expect(try handle.content(of: "empty") == [])
        #expect(try handle.content(of: "none") == nil)
        #expect(handle.start(of: "a", count: 3) == Array("012".utf8))
        #expect(handle.start(of: "a", count: 30) == Array("0123456789".utf8))
        #expect(handle.start(of: "none", count: 3) == nil)
        var bytes: [UInt8] = [1, 2, 3]
        #expect(handle.read("a", count: 10, into: &bytes) && bytes == Array("0123456789".utf8))
        for (name, count) in [("a", 9), ("a", 11), ("empty", 1), ("none", 0)] {
            #expect(!handle.read(name, count: count, into: &bytes), "\(name) of \(count) bytes")
        }
    }

    @Test func `directories are made, found, and removed once they are empty`() throws {
        #expect(try handle.existingDirectory("d") == nil)
        let directory = try handle.directory("d")
        #expect(try handle.existingDirectory("d")?.path == directory.path)
        try scratch.file("d/file", "")
        try handle.removeDirectoryIfEmpty("d")
        #expect(try handle.names() == ["d"] && directory.names() == ["file"])
        #expect(try directory.remove("file") && !directory.remove("file"))
        try handle.removeDirectoryIfEmpty("d")
        try handle.removeDirectoryIfEmpty("d")
        #expect(try handle.names() == [])

        try scratch.file("f", "")
        #expect(throws: OutputError.self) { try handle.directory("f") }
        #expect(try handle.directoryIfOne("f") == nil)
        _ = try DirectoryHandle(making: scratch.path("x/y/z"))
        #expect(try scratch.names() == ["f", "x", "x/y", "x/y/z"])
        #expect(throws: OutputError.self) { try DirectoryHandle(making: scratch.path("f/y")) }
    }

    @Test func `nothing stays open`() throws {
        let other = try TemporaryFolder()
        do {
            let handle = try DirectoryHandle(path: other.path)
            try other.file("a", "text")
            let directory = try handle.directory("d")
            _ = try handle.content(of: "a")
            _ = handle.start(of: "a", count: 2)
            var bytes: [UInt8] = []
            _ = handle.read("a", count: 4, into: &bytes)
            _ = try bytes.withUnsafeBytes { try directory.update("b", with: $0) }
            #expect(throws: OutputError.self) {
                try bytes.withUnsafeBytes { try handle.update("d", with: $0) { false } }
            }
            #expect(try other.openPaths().sorted() == [handle.path, directory.path])
            withExtendedLifetime((handle, directory)) {}
        }
        #expect(try other.openPaths() == [])
    }
}
