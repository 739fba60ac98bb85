import Foundation
import TestSupport
import Testing

@testable import PyramidStore
@testable import PyramidTiles
@testable import PyramidVerification

/// Damage to the bytes on disk: each is found as what it is, and nothing else is reported.
@Suite(.tags(.slow, .threads)) struct DamageTests {
    let fixture = PyramidFixture(ClusteringOptions(maxZoom: 5), points: .asymmetric(count: 120, seed: 11))

    /// What is found after `damage`, by kind and file.
    private func findings(after damage: (DirectoryTileset) throws -> Void) throws -> [Finding] {
        try fixture.withDirectory { directory in
            try damage(directory)
            let report = try PyramidVerifier(tileset: directory, jobs: 2).checkedReport()
            #expect(report.isSound == report.findings.isEmpty)
            return report.findings
        }
    }

    private func tile(_ directory: DirectoryTileset, atZoom zoom: Int) throws -> TileCoordinate {
        try #require(try directory.tileEntries().last { $0.address.z == zoom }).address
    }

    private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: 0...5)
    func `a missing tile is found`(zoom: Int) throws {
        var path = ""
        let findings = try findings { directory in
            let tile = try tile(directory, atZoom: zoom)
            path = TileStorage().relativePath(of: .tile(tile))
            try FileManager.default.removeItem(atPath: directory.path(of: tile))
        }
        #expect(findings == [Finding(kind: .missingTile, file: path, detail: "is missing")])
    }

    @Test(arguments: [
        "tiles/3/4/note.txt", "tiles/3/1/2.json.gz", "tiles/note", "tiles/12/0/0.json", "tiles/03/note",
        "tiles/1/0/00.json",
    ])
    func `an extra file is found, once`(path: String) throws {
        let findings = try findings { directory in
            let url = URL(fileURLWithPath: directory.path(ofFile: path))
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1]).write(to: url)
        }
        #expect(findings.map(\.kind) == [.extraFile])
        #expect(findings.allSatisfy { path.hasPrefix($0.file) })
    }

    @Test(arguments: ["index.html", "robots.txt", "manifest.json.gz", "tilejson.json.br", "tiles.txt"])
    func `a file beside the tiles is nobody's business`(name: String) throws {
        #expect(try findings { try Data([1]).write(to: URL(fileURLWithPath: $0.path(ofFile: name))) } == [])
    }

    @Test(arguments: ["files.tsvx", "files.tsv.old", "manifest.json.pyramid-tmp", "tilejson.json~"])
    func `but one with the name of a list, or of the metadata, with more is found`(name: String) throws {
        #expect(
            try findings { try Data([1]).write(to: URL(fileURLWithPath: $0.path(ofFile: name))) }
                == [Finding(kind: .extraFile, file: name, detail: "is not in the file list")])
    }

    @Test func `what the Finder writes into folders is nobody's business`() throws {
        let findings = try findings { directory in
            let folders = [".", "tiles", "tiles/4", "tiles/4/\(try tile(directory, atZoom: 4).x)"]
            for folder in folders {
                try Data([1]).write(to: URL(fileURLWithPath: directory.path(ofFile: "\(folder)/.DS_Store")))
            }
        }
        #expect(findings == [])
    }

    @Test func `an empty directory below the tiles is found`() throws {
        let findings = try findings { directory in
            try FileManager.default.createDirectory(
                atPath: directory.path(ofFile: "tiles/2/9"), withIntermediateDirectories: true)
        }
        #expect(findings == [Finding(kind: .extraFile, file: "tiles/2/9", detail: "is not in the file list")])
    }

    @Test func `truncated, lengthened and changed tiles are found`() throws {
        let damages: [(inout [UInt8]) -> Void] = [
            { $0.removeLast() }, { $0.removeAll() }, { $0.append(0) }, { $0[$0.count / 2] ^= 4 },
            { $0 = $0.reversed() },
        ]
        for damage in damages {
            let findings = try findings { try edit($0.path(of: try tile($0, atZoom: 3)), damage) }
            #expect(findings.map(\.kind) == [.damagedTile])
        }
    }

    @Test func `two tiles in each other's place are found`() throws {
        let findings = try findings { directory in
            let tiles = try directory.tileEntries().filter { $0.address.z == 4 }.map(\.address)
            let paths = [directory.path(of: tiles[1]), directory.path(of: tiles[3])]
            let bytes = try paths.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
            for (path, other) in zip(paths, bytes.reversed()) { try other.write(to: URL(fileURLWithPath: path)) }
        }
        #expect(findings.map(\.kind) == [.damagedTile, .damagedTile])
    }

    @Test func `a link, a directory and a pipe in place of a tile are found and not followed`() throws {
        let replacements: [(_ path: String, _ copy: String) throws -> Void] = [
            { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: $1) },
            { path, _ in try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) },
            { path, _ in #expect(mkfifo(path, 0o600) == 0) },
        ]
        for replace in replacements {
            let findings = try findings { directory in
                let path = directory.path(of: try tile(directory, atZoom: 2))
                let copy = directory.path(ofFile: "copy")
                try FileManager.default.moveItem(atPath: path, toPath: copy)
                try replace(path, copy)
            }
            #expect(findings.map(\.kind) == [.unreadableTile])
        }
    }

    @Test func `a link in place of a column of tiles is found`() throws {
        var column = ""
        let findings = try findings { directory in
            column = "tiles/2/\(try tile(directory, atZoom: 2).x)"
            let path = directory.path(ofFile: column)
            try FileManager.default.moveItem(atPath: path, toPath: directory.path(ofFile: "column"))
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: directory.path(ofFile: "column"))
        }
        #expect(findings == [Finding(kind: .extraFile, file: column, detail: "is not a directory")])
    }

    @Test(arguments: [
        (Manifest.fileName, Finding.Kind.damagedManifest), (FileList.fileName, .damagedFileList),
        (TileJSON.fileName, .damagedTileJSON),
    ])
    func `missing, truncated and changed metadata are found`(name: String, kind: Finding.Kind) throws {
        let damages: [(inout [UInt8]) -> Void] = [
            { $0.removeLast(9) }, { $0.removeAll() }, { $0[$0.count / 2] ^= 1 },
            { $0 = [UInt8](repeating: 0x5b, count: 99_999) },
        ]
        for damage in damages {
            let findings = try findings { try edit($0.path(ofFile: name), damage) }
            #expect(findings.map(\.kind) == [kind])
        }
        let findings = try findings { try FileManager.default.removeItem(atPath: $0.path(ofFile: name)) }
        #expect(findings == [Finding(kind: kind, file: name, detail: "is missing")])
    }

    @Test func `a tree under construction is incomplete, whatever else it is`() throws {
        let findings = try findings { directory in
            try Data().write(to: URL(fileURLWithPath: directory.path(ofFile: DirectoryTileset.buildMarkerName)))
            try FileManager.default.removeItem(atPath: directory.path(ofFile: "tiles/0"))
        }
        #expect(findings.map(\.kind) == [.incomplete])
    }

    @Test(arguments: [nil, 6])
    func `of a thousand single bits changed anywhere, all are found`(bundleLimit: Int?) throws {
        var fixture = PyramidFixture(ClusteringOptions(maxZoom: 2), points: .asymmetric(count: 17, seed: 5))
        fixture.storage.layout = TilesetLayout(bundleLimit: bundleLimit)
        try fixture.withDirectory { directory in
            let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path).sorted()
            let paths = names.filter { $0.contains(".") }.map { directory.path(ofFile: $0) }
            #expect(names.contains("bundles") == (bundleLimit != nil))
            var random = SeededRandom(seed: 42)
            for _ in 0..<1000 {
                let path = try #require(paths.randomElement(using: &random))
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
                let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
                try edit(path) { $0[bit / 8] ^= 1 << UInt8(bit % 8) }
                let report = PyramidVerifier(tileset: directory, jobs: 1).verify()
                #expect(!report.isSound, "bit \(bit) of \(path)")
                try Data(bytes).write(to: URL(fileURLWithPath: path))
            }
            #expect(PyramidVerifier(tileset: directory, jobs: 1).verify().isSound)
        }
    }

    @Test func `findings are the same for any number of jobs`() throws {
        try fixture.withDirectory { directory in
            for entry in try directory.tileEntries() where entry.address.y % 2 == 1 {
                try edit(directory.path(of: entry.address)) { $0[3] ^= 1 }
            }
            let one = PyramidVerifier(tileset: directory, jobs: 1).verify()
            #expect(one.findingCount > 5)
            #expect(PyramidVerifier(tileset: directory, jobs: 4).verify() == one)
        }
    }
}
