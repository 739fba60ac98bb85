import PyramidTiles

/// Checks which tiles are bundles. A tile must be one if it is at the max zoom, or if it and its descendants show at
/// most ``limit`` records, unless it is in another bundle already.
struct BundleRule: Sendable {
    /// What the check needs to know of a tile or bundle.
    struct File: Sendable {
        let tile: TileCoordinate
        let isBundle: Bool
        /// Whether facets and parents, which depend on the file, make no difference.
        private let isFiltered: Bool
        private(set) var recordCount = 0
        /// The features shown at the file's own zoom: hashes of their bytes as in a tile.
        private(set) var features: [Int] = []
        /// A zoom at which the bundle repeats a record that ends at the next lower zoom.
        private(set) var repeatedZoom: Int?
        /// By the hash of a feature: the zooms of the bundle's records with it.
        private var records: [Int: [ClosedRange<Int>]] = [:]
        /// The bytes of a feature.
        private var joined: [UInt8] = []

        init(tile: TileCoordinate, isBundle: Bool, isFiltered: Bool) {
            self.isFiltered = isFiltered
            self.tile = tile
            self.isBundle = isBundle
        }

        /// Adds a feature of the file.
        /// - Parameter bytes: of the file; a bundle's feature lies in several ranges of them.
        mutating func add(_ feature: DecodedFeature, _ bytes: UnsafeRawBufferPointer, _ zooms: ClosedRange<Int>) {
            var hasher = Hasher()
            if isBundle || isFiltered {
                joined.removeAll(keepingCapacity: true)
                for range in isFiltered ? feature.commonRanges : feature.tileRanges {
                    joined.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[range]))
                }
                joined.withUnsafeBytes { hasher.combine(bytes: $0) }
            } else {
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[feature.range]))
            }
            let hash = hasher.finalize()
            recordCount += 1
            if zooms.lowerBound == tile.z { features.append(hash) }
            if isBundle { records[hash, default: []].append(zooms) }
        }

        /// The file once all features are added. It keeps no more than the rule needs, to save memory.
        func finished() -> File {
            var file = self
            for zooms in records.values where zooms.count > 1 {
                let lastZooms = Set(zooms.map(\.upperBound))
                if let repeated = zooms.first(where: { lastZooms.contains($0.lowerBound - 1) }) {
                    file.repeatedZoom = repeated.lowerBound
                }
            }
            file.records = [:]
            file.joined = []
            return file
        }
    }

    private let limit: Int
    private let maxZoom: Int
    /// The tiles of the zoom before, each with its features' hashes.
    private var parents: [TileCoordinate: [Int]] = [:]
    /// Those of the zoom that is being added.
    private var tiles: [TileCoordinate: [Int]] = [:]
    /// The parent of the files added last, and its features that they don't repeat, with how often it has them.
    private var parent: (tile: TileCoordinate, ending: [Int: Int])?
    /// By tile that isn't a bundle: how many records it and its descendants show.
    private var recordCounts: [TileCoordinate: Int] = [:]
    private(set) var log = FindingLog()

    init(limit: Int, maxZoom: Int) {
        self.limit = limit
        self.maxZoom = maxZoom
    }

    /// Adds files of a zoom in the order of the Z curve.
    mutating func add(_ files: [File], atZoom zoom: Int, _ storage: TileStorage) {
        for file in files {
            open(file.tile.ancestor(atZoom: zoom - 1))
            for feature in file.features {
                guard let count = parent?.ending[feature], count > 0 else { continue }
                parent?.ending[feature] = count - 1
            }
            if file.isBundle {
                check(file, storage)
                count(file.recordCount, in: file.tile)
            } else {
                tiles[file.tile] = file.features
                recordCounts[file.tile, default: 0] += 0
            }
        }
    }

    /// Continues with the children of another tile. A record of a tile ends where its children don't have the same feature.
    private mutating func open(_ tile: TileCoordinate?) {
        guard parent?.tile != tile else { return }
        if let parent { count(parent.ending.values.reduce(0, +), in: parent.tile) }
        parent = nil
        guard let tile, let features = parents.removeValue(forKey: tile) else { return }
        parent = (tile, features.reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    /// Ends a zoom, after its last file. Zooms come in ascending order.
    mutating func finishZoom() {
        open(nil)
        for (tile, features) in parents { count(features.count, in: tile) }
        parents = tiles
        tiles = [:]
    }

    /// Adds records to a tile and all its ancestors.
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
                .wrongBundle, in: path,
                "has no record for zoom \(file.tile.z), expected bundles for its children instead")
        }
        if file.tile.z < maxZoom, file.recordCount > limit {
            log.add(
                .wrongBundle, in: path,
                "has \(file.recordCount) records, expected at most \(limit) at zooms lower than \(maxZoom)")
        }
        if let zoom = file.repeatedZoom {
            log.add(
                .wrongBundle, in: path,
                "repeats a marker at zoom \(zoom), expected one record together with zoom \(zoom - 1)")
        }
    }

    /// Checks the tiles, once all files are added.
    mutating func finish(_ storage: TileStorage) {
        finishZoom()
        for (tile, count) in recordCounts.sorted(by: { $0.key < $1.key }) where count <= limit || tile.z == maxZoom {
            log.add(
                .wrongBundle, in: storage.relativePath(of: .tile(tile)),
                "and its descendants have \(count) records, expected a bundle")
        }
    }
}
