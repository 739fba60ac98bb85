import Foundation
@testable import PyramidParts
@testable import PyramidClient
@testable import PyramidVerification

@testable import PyramidStore
@testable import PyramidTiles

/// A manifest and a TileJSON that state anything, with right checksums, are read and verified to an end, with and without
/// the input.
///
/// The first byte chooses a tileset. Each four bytes that follow change a value of its metadata: the kind of change, the value's
/// number and the new value.
func checkForgery(_ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first, bytes.count <= 33 else { return }
    var forgery = Forgery(of: Int(choice))
    for start in stride(from: 1, to: bytes.count - 3, by: 4) {
        forgery.change(
            Int(bytes[start]), valueAt: Int(bytes[start + 1]) << 8 | Int(bytes[start + 2]), to: Int(bytes[start + 3]))
    }
    guard let tileset = forgery.tileset else { return }
    let report = PyramidVerifier(tileset: tileset, jobs: 1).verify()
    require(bytes.count > 4 || report.isSound, "a tileset that nobody changed is not sound: \(report.findings)")
    readAll(of: tileset)
    if let tileJSON = try? tileset.tileJSON(), let matcher = try? FacetMatcher(.all, tileJSON) {
        for column in matcher.columns.indices {
            _ = matcher.combinations.counts(ofColumn: column, in: matcher.columns)
        }
        _ = matcher.accepted(of: matcher.combinations)
    }
    _ = try? InputVerifier(tileset: tileset, inputPaths: [Forgery.inputPath], jobs: 1).verify()
}

/// A tileset whose metadata are changed.
struct Forgery {
    private var sections: NamedSections
    /// The manifest and the TileJSON, as `JSONSerialization` reads them; `nil` for one that was removed.
    private var metadata: [Any?]

    private static let names = [Manifest.fileName, TileJSON.fileName]
    static let tilesets = (WrittenSeeds.all[.manifest] ?? [:]).sorted { $0.key < $1.key }
    /// What may be stated in the place of any value.
    private static var values: [Any] {
        [
            Int.max, -1, 0, 1, 2, 7, 24, 65, 4096, 1 << 32, Int.min, 0.5, 1e300, "", "x", "0", "[1]", "kind", true,
            NSNull(), [Any](), [String: Any](), [1, 2, 3],
        ]
    }
    fileprivate static let inputPath: String = {
        let path = NSTemporaryDirectory() + "pyramid-forgery-\(getpid()).csv"
        require(FileManager.default.createFile(atPath: path, contents: Data(WrittenSeeds.table.utf8)), "no input")
        return path
    }()

    init(of number: Int) {
        let bytes = Forgery.tilesets[number % Forgery.tilesets.count].value
        let sections = bytes.withUnsafeBytes { NamedSections($0) }
        metadata = Forgery.names.map { name in
            sections[name].flatMap { try? JSONSerialization.jsonObject(with: Data($0)) }
        }
        self.sections = sections
    }

    /// How many values the metadata have.
    var valueCount: Int { metadata.reduce(0) { $0 + Forgery.valueCount(of: $1) } }

    /// Removes a value, doubles it, empties it, or replaces it.
    mutating func change(_ kind: Int, valueAt index: Int, to value: Int) {
        var left = index % max(valueCount, 1)
        for file in metadata.indices {
            metadata[file] = metadata[file].flatMap { metadata in
                Forgery.changed(metadata, &left) { old in
                    switch (kind % 4, old) {
                    case (0, _): nil
                    case (1, let array as [Any]): array + array
                    case (1, _): [old, old]
                    case (2, is [Any]): [Any]()
                    case (2, is [String: Any]): [String: Any]()
                    default: Forgery.values[value % Forgery.values.count]
                    }
                }
            }
        }
    }

    /// `nil` if the manifest can't be read.
    var tileset: FuzzedTileset? {
        let texts = metadata.map { metadata -> [UInt8] in
            guard let metadata, JSONSerialization.isValidJSONObject(metadata) else { return [] }
            let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys]
            return (try? JSONSerialization.data(withJSONObject: metadata, options: options)).map(Array.init) ?? []
        }
        guard let manifest = try? Manifest(decoding: withChecksum(texts[0])) else { return nil }
        return FuzzedTileset(manifest, sections.with(texts[1], as: TileJSON.fileName))
    }

    private static func valueCount(of value: Any?) -> Int {
        switch value {
        case nil: 0
        case let array as [Any]: array.reduce(1) { $0 + valueCount(of: $1) }
        case let object as [String: Any]: object.values.reduce(1) { $0 + valueCount(of: $1) }
        default: 1
        }
    }

    /// The value with another in the place of the one that `left` others precede; `nil` for no value.
    private static func changed(_ value: Any, _ left: inout Int, _ change: (Any) -> Any?) -> Any? {
        left -= 1
        if left == -1 { return change(value) }
        switch value {
        case let array as [Any]: return array.compactMap { changed($0, &left, change) }
        case var object as [String: Any]:
            for (key, value) in object.sorted(by: { $0.key < $1.key }) { object[key] = changed(value, &left, change) }
            return object
        default: return value
        }
    }
}
