import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidStore

struct SpoolTests {
    @Test func `pieces that several threads append are mapped as they were`() throws {
        let folder = try TemporaryFolder()
        let spool = try Spool(in: folder.path)
        #expect(try folder.names() == [])
        let pieces = (0..<300).map { number in [UInt8](repeating: UInt8(number % 251), count: 1 + 37 * number) }
        let starts = SharedWork(jobs: 4).map((0..<pieces.count).split(every: 1)) { chunk in
            pieces[chunk.lowerBound].withUnsafeBytes { piece in Result { try spool.append(piece) } }
        }
        #expect(spool.byteCount == pieces.reduce(0) { $0 + $1.count })
        for (start, piece) in zip(starts, pieces) {
            let start = try start.get()
            let mapped = try spool.map(start..<start + piece.count)
            withExtendedLifetime(mapped) { #expect(mapped.bytes.elementsEqual(piece)) }
        }
    }

    @Test func `a mapping outlives its spool and loads released pages again`() throws {
        let folder = try TemporaryFolder()
        let text = (0..<5000).flatMap { Array("\($0),".utf8) }
        let mapped = try {
            let spool = try Spool(in: folder.path)
            try text.withUnsafeBytes { _ = try spool.append($0) }
            #expect(try spool.map(0..<0).bytes.isEmpty)
            return try spool.map(7..<text.count)
        }()
        #expect(try folder.openPaths().isEmpty)
        mapped.releasePages()
        withExtendedLifetime(mapped) { #expect(mapped.bytes.elementsEqual(text[7...])) }
    }

    @Test func `a folder that is missing is named with a cure`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: OutputError.self) { try Spool(in: folder.path("none")) }
        #expect(error?.description.hasPrefix(folder.path("none") + ": can't hold a temporary file (No such") == true)
        #expect(error?.description.hasSuffix("set TMPDIR to another folder") == true)
    }

    @Test func `temporary files lie beside the output only if that is another disk, on disk or roomier`() {
        typealias Space = SpoolFolder.Space
        let temporary = Space(device: 1, isInMemory: false, freeBytes: 100)
        let same = Space(device: 1, isInMemory: false, freeBytes: 101)
        let roomier = Space(device: 2, isInMemory: false, freeBytes: 101)
        let smaller = Space(device: 2, isInMemory: false, freeBytes: 99)
        let inMemory = Space(device: 3, isInMemory: true, freeBytes: 1000)
        let otherMemory = Space(device: 4, isInMemory: true, freeBytes: 999)
        #expect(!same.isBetter(than: temporary))
        #expect(roomier.isBetter(than: temporary))
        #expect(!smaller.isBetter(than: temporary))
        #expect(!inMemory.isBetter(than: temporary))
        #expect(smaller.isBetter(than: inMemory))
        #expect(inMemory.isBetter(than: otherMemory) && !otherMemory.isBetter(than: inMemory))
    }

    @Test func `beside an output that doesn't exist yet is the folder in which it will be`() throws {
        let folder = try TemporaryFolder()
        try folder.file("a.txt", "text")
        let path = URL(fileURLWithPath: folder.path).standardized.path
        for name in ["out/deep/t.pmtiles", "a.txt", "a.txt/x", ""] {
            #expect(SpoolFolder.existingFolder(of: folder.path(name)) == path, "\(name)")
        }
        // The same file system, so the default.
        #expect(SpoolFolder.choose(beside: folder.path("out")) == SpoolFolder.temporary)
    }

    #if os(Linux)
        @Test func `a file system in memory is told from one on disk`() throws {
            #expect(SpoolFolder.Space(in: "/dev/shm")?.isInMemory == true)
            #expect(SpoolFolder.Space(in: "/proc")?.isInMemory == false)
            #expect(SpoolFolder.Space(in: "/dev/shm/none") == nil)
        }
    #endif
}
