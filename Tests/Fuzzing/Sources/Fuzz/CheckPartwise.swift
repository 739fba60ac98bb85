import Foundation
@testable import PyramidTiles
@testable import PyramidVerification

@testable import PyramidBuild
@testable import PyramidParts
@testable import PyramidStore

/// A tileset with facets verifies, and has the same bytes if its rows are spooled and it is built in parts. The first byte chooses
/// options, the rest is the input.
func checkPartwise(_ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first, bytes.count > 20 else { return }
    let path = NSTemporaryDirectory() + "fuzz-\(getpid()).csv"
    defer { unlink(path) }
    do {
        try Data(bytes.dropFirst()).write(to: URL(fileURLWithPath: path))
    } catch {
        fatalError("\(error)")
    }
    let options = options(choice, path)
    let limits = PartLimits(rowsRead: 2, rowsPerPart: 3, joinMarkers: 1 << 12, copiesRows: choice & 32 != 0)
    let (whole, parts) = (build(options, nil), build(options, limits))
    switch (whole, parts) {
    case (.success(let whole), .success(let parts)):
        let report = PyramidVerifier(tileset: whole, jobs: 1).verify()
        require(report.isSound, "\(report.findings.first.map { "\($0)" } ?? "")")
        require(files(of: whole) == files(of: parts), "a build in parts writes other bytes")
    case (.failure(let error), .failure(let other)):
        require("\(error)" == "\(other)", "\(error) is \(other) in parts")
    case (.success, .failure(let error as MemoryError)): require(error.obstacle != nil, "\(error)")
    default: fatalError("parts show: \(whole) \(parts)")
    }
}

private func options(_ choice: UInt8, _ path: String) -> BuildOptions {
    var clusters = ClusterContentOptions()
    clusters.filterBy = [FacetColumn(name: "k")]
    if choice & 1 != 0 { clusters.filterBy.append(FacetColumn(name: "n", edges: [0, 2.5])) }
    if choice & 2 != 0 { clusters.countBy = [CategoryCount(name: "k", limit: 2)] }
    var options = BuildOptions(
        inputPaths: [path], outputPath: "", clustering: ClusteringOptions(maxZoom: 5), clusters: clusters, jobs: 1)
    let isMVT = choice & 4 != 0
    options.storage = TileStorage(
        codec: isMVT ? .mvt : .geojson, compression: .none,
        layout: choice & 8 != 0 && !isMVT ? .bundles(limit: 4) : .files)
    if choice & 16 != 0 { options.input.idColumn = "id" }
    options.memoryLimit = .bytes(1 << 30)
    return options
}

private func build(_ options: BuildOptions, _ limits: PartLimits?) -> Result<MemoryTileset, any Error> {
    Result {
        let tileset = MemoryTileset(storage: options.storage)
        var builder = PyramidBuilder(options: options)
        builder.partLimits = limits
        _ = try builder.build { _ in tileset }
        return tileset
    }
}

private func files(of tileset: MemoryTileset) -> [String: [UInt8]] {
    do {
        let listing = try TilesetListing(of: tileset)
        var files = [TileJSON.fileName: try tileset.metadataBytes(of: TileJSON.fileName)]
        for entry in listing.list.entries {
            files["\(entry.address)"] = try tileset.storedBytes(of: entry.address, limitBytes: .max)
        }
        return files
    } catch {
        fatalError("\(error)")
    }
}
