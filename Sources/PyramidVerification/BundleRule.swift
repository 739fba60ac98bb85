import PyramidTiles

/// Checks what is a bundle and what is not: a tile is one if at most so many records are shown in it and below, or at the
/// last zoom, and no tile above is.
struct BundleRule: Sendable {
    /// What a tile or a bundle contributes.
    struct File: Sendable {
        let tile: TileCoordinate
        let isBundle: Bool
        private(set) var recordCount = 0
        /// Of each feature that is shown at the file's own zoom, a hash of its bytes as they are in a tile.
        private(set) var features: [Int] = []
        /// A zoom at which a bundle repeats a record of the zoom above.
        private(set) var repeatedZoom: Int?
        /// The zooms of the records of a bundle, by the hash of its feature.
        private var records: [Int: [ClosedRange<Int>]] = [:]

        init(tile: TileCoordinate, isBundle: Bool) {
            self.tile = tile
            self.isBundle = isBundle
        }

        /// Adds a feature of the file.
        mutating func add(_ feature: DecodedFeature, _ bytes: UnsafeRawBufferPointer, _ zooms: ClosedRange<Int>) {
            var hasher = Hasher()
            if isBundle {
                let joined = feature.tileRanges.reduce(into: [UInt8]()) { $0 += bytes[$1] }
                joined.withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[feature.range]))
            }
            let hash = hasher.finalize()
            recordCount += 1
            if zooms.lowerBound == tile.z { features.append(hash) }
            if isBundle { records[hash, default: []].append(zooms) }
        }

        /// Without what is of no use any more.
        func finished() -> File {
            var file = self
            for zooms in records.values where zooms.count > 1 {
                let lastZooms = Set(zooms.map(\.upperBound))
                if let repeated = zooms.first(where: { lastZooms.contains($0.lowerBound - 1) }) {
                    file.repeatedZoom = repeated.lowerBound
                }
            }
            file.records = [:]
            return file
        }
    }

    private let limit: Int
    private let maxZoom: Int
    /// The tiles of the zoom that was added last, each with the features that may go on below.
    private var above: [TileCoordinate: [Int: Int]] = [:]
    /// How many records are shown in each tile and below.
    private var recordCounts: [TileCoordinate: Int] = [:]
    private(set) var log = FindingLog()

    init(limit: Int, maxZoom: Int) {
        self.limit = limit
        self.maxZoom = maxZoom
    }

    /// Adds the files of a zoom; zooms come from the first to the last.
    mutating func add(_ files: [File], atZoom zoom: Int, _ storage: TileStorage) {
        var ending = above
        var next: [TileCoordinate: [Int: Int]] = [:]
        for file in files {
            if let parent = file.tile.ancestor(atZoom: zoom - 1), above[parent] != nil {
                for feature in file.features {
                    guard let count = ending[parent]?[feature], count > 0 else { continue }
                    ending[parent]?[feature] = count - 1
                }
            }
            if file.isBundle {
                check(file, storage)
                count(file.recordCount, in: file.tile)
            } else {
                next[file.tile] = file.features.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                recordCounts[file.tile, default: 0] += 0
            }
        }
        for (tile, features) in ending { count(features.values.reduce(0, +), in: tile) }
        above = next
    }

    /// Adds records to a tile and all tiles above it.
    private mutating func count(_ records: Int, in tile: TileCoordinate) {
        for zoom in 0...tile.z {
            guard let ancestor = tile.ancestor(atZoom: zoom), recordCounts[ancestor] != nil else { continue }
            recordCounts[ancestor]? += records
        }
    }

    private mutating func check(_ file: File, _ storage: TileStorage) {
        let path = storage.relativePath(of: .bundle(file.tile))
        if file.features.isEmpty, file.recordCount > 0 {
            log.add(
                .wrongBundle, in: path, "has nothing to show at zoom \(file.tile.z), expected bundles below it instead")
        }
        if file.tile.z < maxZoom, file.recordCount > limit {
            log.add(
                .wrongBundle, in: path,
                "has \(file.recordCount) records, expected at most \(limit) above zoom \(maxZoom)")
        }
        if let zoom = file.repeatedZoom {
            log.add(
                .wrongBundle, in: path, "has a marker of zoom \(zoom) again, expected one record with the zoom above")
        }
    }

    /// Checks the tiles, when all files are added.
    mutating func finish(_ storage: TileStorage) {
        add([], atZoom: maxZoom + 1, storage)
        for (tile, count) in recordCounts.sorted(by: { $0.key < $1.key }) where count <= limit || tile.z == maxZoom {
            log.add(
                .wrongBundle, in: storage.relativePath(of: .tile(tile)),
                "and the tiles below have \(count) records, expected a bundle")
        }
    }
}
