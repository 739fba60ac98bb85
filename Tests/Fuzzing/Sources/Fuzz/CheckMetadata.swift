@testable import PyramidStore
@testable import PyramidTiles

/// A list is the same in whatever pieces it is read. A readable one is written as it was, and finds its files.
func checkLists(_ bytes: UnsafeRawBufferPointer) {
    let bytes = [UInt8](bytes)
    let whole = Result { () throws(MetadataError) in try FileList(decoding: bytes) }
    for pieceBytes in [1, 7, 40] {
        let inPieces = Result { () throws(MetadataError) in
            var decoder = FileListDecoder()
            var entries: [FileList.Entry] = []
            for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
                entries += try decoder.append(Array(bytes[start..<min(start + pieceBytes, bytes.count)]))
            }
            try decoder.finish()
            return FileList(sorted: FileList.Entries(entries))
        }
        require(inPieces == whole, "pieces of \(pieceBytes) bytes are another list: \(inPieces), \(whole)")
    }
    guard case .success(let list) = whole else { return }
    require(list.encoded() == bytes, "a list comes back as another")
    for entry in list.entries { require(list.file(at: entry.address) == entry.file, "a file of the list is not found") }
    require(FileList(list.entries.reversed()) == list, "a list is not in order")

    // Half of it, with a file that has changed.
    let half = list.entries.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let changed = half.prefix(1).map { entry in
        FileList.Entry(
            address: entry.address,
            file: StoredFile(
                byteCount: entry.file.byteCount, crc32: ~entry.file.crc32, bodyByteCount: entry.file.bodyByteCount,
                bodyCRC32: entry.file.bodyCRC32))
    }
    let difference = ListDifference(from: list, to: FileList(changed + half.dropFirst()))
    require(difference.added.isEmpty && difference.changed == changed.map(\.address), "other files have changed")
    require(difference.removed.count + half.count == list.entries.count, "other files are gone")
}

/// A readable TileJSON survives being written again, and so does its index of bundles. Any bytes are an index too.
func checkTileJSON(_ bytes: UnsafeRawBufferPointer) {
    let bytes = [UInt8](bytes)
    if let tileJSON = try? TileJSON(decoding: bytes) {
        let text = encoded(tileJSON)
        guard let again = try? TileJSON(decoding: text) else { fatalError("a TileJSON can't be read again") }
        require(again == tileJSON, "a TileJSON comes back as another: \(String(decoding: text, as: UTF8.self))")
        require(encoded(again) == text, "a TileJSON is written in two ways")
        if let url = tileJSON.baseURL { require(tileJSON.tiles[0].hasPrefix(url), "a base that isn't in the template") }
        if let box = tileJSON.boundingBox { require(box.south <= box.north, "a box upside down") }
        if let index = try? tileJSON.bundles?.decoded() { check(index) }
    }
    guard let first = bytes.first, let root = BundleIndex.State(rawValue: first & 3) else { return }
    guard let index = BundleIndex(limit: 10, root: root, nodes: Array(bytes.dropFirst())) else { return }
    check(index)
    let stored = TileJSON.Bundles(index, template: "bundles/{z}/{x}/{y}.json")
    require((try? stored.decoded()) == index, "an index comes back as another")
}

private func encoded(_ tileJSON: TileJSON) -> [UInt8] {
    do { return try tileJSON.encoded() } catch { fatalError("a TileJSON can't be written: \(error)") }
}

/// The index names the same files as one that is made of its files.
private func check(_ index: BundleIndex) {
    var (tiles, bundles): ([TileCoordinate], [TileCoordinate]) = ([], [])
    var stack = [world]
    var seen = 0
    while let tile = stack.popLast(), seen < 2000 {
        seen += 1
        switch index.state(of: tile) {
        case .nothing: require(index.file(holding: tile) == nil, "nothing has a file")
        case .bundle:
            bundles.append(tile)
            for below in [tile] + tile.children.suffix(1) {
                require(index.file(holding: below) == .bundle(tile), "a tile below a bundle is elsewhere")
                require(below == tile || index.state(of: below) == .nothing, "there is something below a bundle")
            }
        case .tile:
            tiles.append(tile)
            require(index.file(holding: tile) == .tile(tile), "a tile is elsewhere")
            stack += tile.children
        case .descendants:
            require(index.file(holding: tile) == nil, "a file that is not there")
            stack += tile.children
        }
    }
    guard stack.isEmpty else { return }
    let made = BundleIndex(
        limit: index.limit, files: bundles.reversed().map { FileAddress.bundle($0) } + tiles.map { .tile($0) })
    for tile in tiles + bundles {
        require(
            made.file(holding: tile) == index.file(holding: tile), "\(tile) is elsewhere in an index of the same files")
        require(made.state(of: tile) == index.state(of: tile), "\(tile) is another in an index of the same files")
    }
    // An index may say that there is something below where there is nothing.
    require(made.nodes.count <= index.nodes.count, "an index of the same files is larger")
}

extension TileCoordinate {
    fileprivate var children: [TileCoordinate] {
        (0..<4).compactMap { TileCoordinate(z: z + 1, x: 2 * x + $0 % 2, y: 2 * y + $0 / 2) }
    }
}
