import Foundation
@testable import PyramidTiles
@testable import PyramidVerification

@testable import PyramidBuild
@testable import PyramidInput
@testable import PyramidParts
@testable import PyramidStore

/// The bytes of a part are read to an end. The sections of one, with right checksums, come back as they were, and are joined to
/// the same files in one thread and in two, or not at all.
func checkPart(_ bytes: UnsafeRawBufferPointer) {
    readAll(bytes)
    let sections = NamedSections(bytes)
    guard let manifest = PartManifest(sections) else { return }
    let folder = NSTemporaryDirectory() + "pyramid-fuzz-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/part"
    do {
        try write(sections, manifest, to: path)
    } catch {
        fatalError("a part can't be written: \(error)")
    }
    checkFiles(sections, of: path)
    let joined = join(path, to: folder, manifest, jobs: 1)
    require(join(path, to: folder, manifest, jobs: 2) == joined, "joining depends on the threads")
}

private func readAll(_ bytes: UnsafeRawBufferPointer) {
    guard let part = try? PartFile(path: "part", bytes), let entries = try? part.entries() else { return }
    for entry in entries { require(part.body(of: entry).count == entry.file.byteCount, "a body of another size") }
    _ = try? part.check(entries)
}

extension PartManifest {
    /// With the numbers of the other sections, or the join would stop at the first that changes.
    fileprivate init?(_ sections: NamedSections) {
        let text = Data(sections[PartSection.manifest] ?? [])
        guard var manifest = try? JSONDecoder().decode(PartManifest.self, from: text) else { return nil }
        manifest.rowCount = (sections[PartSection.rows] ?? []).count { $0 == UInt8(ascii: "\n") }
        for index in manifest.zooms.indices {
            let sizes = sections.files.filter { $0.address.tile.z == manifest.zooms[index].zoom }.map(\.bytes.count)
            manifest.zooms[index].storedBytes = sizes.reduce(0, +)
            manifest.zooms[index].bodyBytes = sizes.reduce(0, +)
        }
        self = manifest
    }
}

private func write(_ sections: NamedSections, _ manifest: PartManifest, to path: String) throws {
    let writer = try PartFileWriter(path: path, syncs: false)
    for (address, bytes) in sections.files {
        try bytes.withUnsafeBytes { try writer.write($0, to: address, StoredFile(bytes, body: bytes)) }
    }
    for name in [
        PartSection.rows, PartSection.candidates, PartSection.texts, PartSection.totals, PartSection.ids,
        PartSection.cells,
    ] {
        try writer.writeSection(name) { append in try (sections[name] ?? []).withUnsafeBytes(append) }
    }
    let encoded = try manifest.encoded()
    try writer.writeSection(PartSection.manifest) { append in try encoded.withUnsafeBytes(append) }
    try writer.finish()
}

private func checkFiles(_ sections: NamedSections, of path: String) {
    do {
        let input = try InputBytes(path: path)
        let part = try PartFile(path: path, input.bytes)
        let entries = try part.entries()
        try part.check(entries)
        let files = sections.files
        require(entries.map(\.address) == files.map(\.address), "a part has other files")
        require(
            zip(entries, files).allSatisfy { part.body(of: $0).elementsEqual($1.bytes) }, "the files have other bytes")
        readAll(input.bytes)
    } catch {
        fatalError("a part can't be read: \(error)")
    }
}

/// The files of the joined tileset by name; `nil` if the part can't be joined.
private func join(_ path: String, to folder: String, _ manifest: PartManifest, jobs: Int) -> [String: Data]? {
    // Archives hold no bundles.
    let output = folder + (manifest.options.storage.layout.bundleLimit == nil ? "/joined.pmtiles" : "/joined")
    defer { try? FileManager.default.removeItem(atPath: output) }
    var options = JoinOptions(partPaths: [path], outputPath: output)
    options.syncs = false
    options.jobs = jobs
    do {
        _ = try PartJoiner(options: options).join()
    } catch {
        require(
            error is InputError || error is StoreError || error is OutputError || error is MemoryError,
            "joining throws \(error)")
        return nil
    }
    guard let tileset = try? LocalTileset.open(path: output) else { fatalError("what is joined is no tileset") }
    _ = PyramidVerifier(tileset: tileset, jobs: 1).verify()
    let names = [""] + (FileManager.default.enumerator(atPath: output)?.compactMap { $0 as? String } ?? [])
    return Dictionary(
        names.compactMap { name in
            (try? Data(contentsOf: URL(fileURLWithPath: "\(output)/\(name)"))).map { (name, $0) }
        }
    ) { first, _ in first }
}
