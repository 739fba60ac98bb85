import PyramidBuild
import PyramidClusters
import PyramidInput
import PyramidPlatform
import PyramidStore
import PyramidTiles
import Synchronization

/// The file of a part, opened by the join.
struct OpenedPart: Sendable {
    let path: String
    let manifest: PartManifest
    /// The whole file; `nil` for a part of this process.
    let input: InputBytes?
    /// The file's sections; valid as long as this value.
    let file: PartFile
    /// The tiles of the cut zoom that contain files the part has written, except for those in ``file``.
    let finishedTiles: [TileCoordinate]
    /// Keeps the bytes of ``file``.
    private let owner: any Sendable & AnyObject

    /// - Throws: ``InputError`` if the file can't be read; `StoreError` if it isn't a complete part of this version.
    init(path: String) throws {
        let input = try InputBytes(path: path)
        let file = try PartFile(path: path, input.bytes)
        let bytes = Data(try file.section(PartSection.manifest))
        let manifest: PartManifest
        do {
            manifest = try JSONDecoder().decode(PartManifest.self, from: bytes)
        } catch {
            throw file.damaged("has a manifest of another version of pyramid")
        }
        guard manifest.isSound else { throw file.damaged("has an invalid manifest") }
        (self.path, self.manifest, self.input, self.file, owner) = (path, manifest, input, file, input)
        finishedTiles = []
    }

    /// A part that this process has written to a temporary file.
    init(
        _ manifest: PartManifest, _ bytes: MappedSpool, finishedTiles: [TileCoordinate]
    ) throws(StoreError) {
        path = "part \(manifest.part)"
        (self.manifest, self.finishedTiles) = (manifest, finishedTiles)
        input = nil
        file = try PartFile(path: path, bytes.bytes)
        owner = bytes
    }

    var tile: TileCoordinate { manifest.part }

    /// The values of the part's points.
    func texts() throws(StoreError) -> CountedTexts {
        var reader = PartBytes(try file.section(PartSection.texts))
        func next() throws(StoreError) -> [[UInt8]] {
            guard let texts = reader.texts() else { throw file.damaged("has texts that can't be read") }
            return texts
        }
        var texts = CountedTexts()
        for _ in manifest.options.clusters.countBy { texts.ofColumns.append(try next()) }
        if !manifest.options.clusters.filterBy.isEmpty { texts.combinations = try next() }
        return texts
    }

    /// The combinations of values to filter by.
    func combinations() throws(StoreError) -> [[UInt8]] {
        let clusters = manifest.options.clusters
        guard !clusters.filterBy.isEmpty else { return [] }
        let combinations = try texts().combinations
        let areRead = combinations.allSatisfy { combination in
            guard case .array(let values) = PropertyValue(json: combination) else { return false }
            return values.count == clusters.filterBy.count
        }
        guard areRead else { throw file.damaged("has combinations of values that can't be read") }
        return combinations
    }

    func candidates(measureCount: Int, categories: [[UInt32]]) throws(StoreError) -> [PartCandidate] {
        var reader = PartBytes(try file.section(PartSection.candidates))
        var candidates: [PartCandidate] = []
        let zooms = Int8(manifest.cutZoom + 1)...Int8(manifest.options.clustering.clusterMaxZoom + 1)
        while !reader.isAtEnd {
            guard let candidate = reader.candidate(measureCount: measureCount, categories: categories),
                candidate.isSound(rowCount: manifest.rowCount, expansionZooms: zooms)
            else { throw file.damaged("has markers that can't be read") }
            candidates.append(candidate)
        }
        return candidates
    }

    func totals(measureCount: Int, categories: [[UInt32]]) throws(StoreError) -> AggregateValues {
        var reader = PartBytes(try file.section(PartSection.totals))
        guard let totals = reader.aggregates(measureCount: measureCount, categories: categories), reader.isAtEnd,
            totals.isSound(pointCount: manifest.input.rowsAccepted)
        else {
            throw file.damaged("has totals that can't be read")
        }
        return totals
    }
}

extension OpenedPart {
    /// Whether the files can be the part's: each is listed once, lies in the part and its zooms, and their sizes add up
    /// to the manifest's.
    /// - Parameter entries: with valid checksums.
    fileprivate func fits(_ entries: [PartFile.Entry], combinationCount: Int) -> Bool {
        let (options, codes) = (manifest.options, tile.codes)
        let zooms = manifest.cutZoom + 1...options.clustering.maxZoom
        var storedBytes = [Int](repeating: 0, count: zooms.count)
        var bodyBytes = storedBytes
        func isInside(_ inner: TileCoordinate) -> Bool {
            inner.z >= tile.z && codes.contains(inner.codes.lowerBound) && inner.z <= zooms.upperBound
        }
        let combinations = [UInt32](repeating: 0, count: combinationCount)
        for entry in entries {
            let kind = entry.address.kind
            guard options.storage.layout.holds(kind) else { return false }
            let inner = entry.address.tile
            guard isInside(inner), zooms.contains(inner.z) else { return false }
            if entry.isHandedOver {
                guard kind == .bundle, bundle(entry, combinations).isSound else { return false }
                continue
            }
            storedBytes[inner.z - zooms.lowerBound] += entry.file.byteCount
            bodyBytes[inner.z - zooms.lowerBound] += entry.file.bodyByteCount
        }
        return zip(entries, entries.dropFirst()).allSatisfy { $0.address < $1.address }
            && storedBytes == manifest.zooms.map(\.storedBytes) && bodyBytes == manifest.zooms.map(\.bodyBytes)
    }
}

extension OpenedPart {
    /// - Parameter combinations: the number in the join of each of the part's combinations of values.
    fileprivate func bundle(_ entry: PartFile.Entry, _ combinations: [UInt32]) -> PartBundle {
        PartBundle(
            tile: entry.address.tile, maxZoom: manifest.options.clustering.maxZoom, combinations: combinations,
            bytes: file.body(of: entry))
    }
}

/// The rows that are handed over.
extension [OpenedPart] {
    /// Reads the rows of other processes' parts.
    func readRows(
        _ options: BuildOptions, _ progress: @escaping (BuildProgress) -> Void
    ) throws -> PointTable {
        let rows = try map { part throws(StoreError) in
            guard let input = part.input else { preconditionFailure("a part of this process has no copies of rows") }
            return InputBytes(try part.file.range(of: PartSection.rows), of: input)
        }
        let points = try PointTable(
            reading: rows, options: options.readingOptions, schema: options.schema,
            cutting: InputCutting(jobs: options.jobs)
        ) { progress(.reading(bytes: $0, of: $1)) }
        var rowCounts = [Int](repeating: 0, count: count)
        for start in points.rowStarts { rowCounts[points.inputs.position(of: start).input] += 1 }
        for (part, count) in zip(self, rowCounts) where count != part.manifest.rowCount {
            throw StoreError(
                path: part.path,
                reason: .damaged("hands over \(count) readable rows, expected \(part.manifest.rowCount)"))
        }
        return points
    }

    /// Where the rows of this process's parts are in the inputs.
    func places() throws(StoreError) -> AcceptedRows {
        var rows = AcceptedRows()
        for part in self {
            let section = try part.file.section(PartSection.places)
            for offset in stride(from: 0, to: section.count, by: MemoryLayout<RowSpool.Row>.stride) {
                let row = section.loadUnaligned(fromByteOffset: offset, as: RowSpool.Row.self)
                rows.append(start: Int(row.start), longitude: row.longitude, latitude: row.latitude)
            }
        }
        return rows
    }
}

extension [OpenedPart] {
    /// The parts in the order of the Z curve.
    /// - Throws: `StoreError` unless they are parts of one tileset that cover the world without overlap.
    func requireWhole() throws(StoreError) -> [OpenedPart] {
        let sorted = sorted { ($0.tile.codes.lowerBound, $0.tile.z) < ($1.tile.codes.lowerBound, $1.tile.z) }
        guard let first = sorted.first else { return [] }
        var next: UInt64? = 0
        for part in sorted {
            if let difference = first.manifest.difference(from: part.manifest) {
                throw StoreError(
                    path: part.path,
                    reason: .damaged("was built with \(difference) than \(first.path), expected the same for all parts")
                )
            }
            guard let start = next, part.tile.codes.lowerBound >= start else {
                guard count(where: { $0.path == part.path }) == 1 else {
                    throw StoreError(path: part.path, reason: .damaged("is given twice; give each part once"))
                }
                let other = sorted.first { $0.tile.codes.overlaps(part.tile.codes) } ?? part
                throw StoreError(
                    path: part.path,
                    reason: .damaged("is part \(part.tile), which overlaps \(other.path), part \(other.tile)"))
            }
            guard part.tile.codes.lowerBound == start else { throw missing(from: start) }
            next = part.tile.codes.upperBound == .max ? nil : part.tile.codes.upperBound + 1
        }
        if let next { throw missing(from: next) }
        return sorted
    }

    /// By part: its tiles and bundles.
    /// - Throws: `StoreError` if one is damaged.
    func checkedFiles(jobs: Int) throws -> [[PartFile.Entry]] {
        let all = Mutex([[PartFile.Entry]](repeating: [], count: count))
        try SharedWork(jobs: jobs).forEach(count: count) {
        } _: { (_: inout Void, index: Int) throws in
            let file = self[index].file
            let entries = try file.entries()
            try file.check(entries)
            let combinationCount = try self[index].combinations().count
            guard self[index].fits(entries, combinationCount: combinationCount) else {
                throw file.damaged("lists files that can't be the part's")
            }
            all.withLock { $0[index] = entries }
        }
        return all.withLock { $0 }
    }

    /// The tiles and bundles that the parts have written.
    private func finishedTiles(_ files: [[PartFile.Entry]]) -> [TileCoordinate] {
        flatMap(\.finishedTiles) + files.joined().filter { !$0.isHandedOver }.map(\.address.tile)
    }

    /// - Parameter files: by part.
    /// - Throws: `StoreError` if handed-over bundles overlap, or lie in a tile of the cut zoom with finished files.
    func requireFittingBundles(_ files: [[PartFile.Entry]]) throws(StoreError) {
        let bundles = files.joined().filter(\.isHandedOver).map(\.address.tile).sorted {
            $0.codes.lowerBound < $1.codes.lowerBound
        }
        for (bundle, next) in zip(bundles, bundles.dropFirst())
        where bundle.codes.upperBound >= next.codes.lowerBound {
            let part = first { $0.tile.codes.contains(next.codes.lowerBound) } ?? self[0]
            throw part.file.damaged("has the bundle \(next) twice")
        }
        guard let cutZoom = first?.manifest.cutZoom, !bundles.isEmpty else { return }
        let finished = Set(finishedTiles(files).lazy.map { $0.ancestor(atZoom: cutZoom) })
        guard !bundles.contains(where: { finished.contains($0.ancestor(atZoom: cutZoom)) }) else {
            throw StoreError(path: "the parts", reason: .damaged("have finished files where they hand bundles over"))
        }
    }

    /// What the parts have made of the zooms higher than the cut zoom; `nil` for a tileset without bundles.
    /// - Parameters:
    ///   - files: by part.
    ///   - combinations: by part, the numbers in the join of its combinations of values.
    func higherZooms(_ files: [[PartFile.Entry]], _ combinations: [[UInt32]]) -> HigherZooms? {
        guard let manifest = first?.manifest, manifest.options.storage.layout.bundleLimit != nil else { return nil }
        let bundles = indices.flatMap { index in
            files[index].filter(\.isHandedOver).map { self[index].bundle($0, combinations[index]) }
        }
        return HigherZooms(bundles, beside: finishedTiles(files), zoom: manifest.cutZoom)
    }

    /// - Throws: `StoreError` unless the markers of the parts stand for as many points as the parts have accepted.
    func requireAllPoints(in markers: Candidates) throws(StoreError) {
        let rows = reduce(0) { $0 + $1.manifest.input.rowsAccepted - $1.manifest.unclusteredPoints }
        let points = markers.known.clusters.reduce(markers.count) { $0 + Int($1.cluster.pointCount) - 1 }
        let problem =
            if rows > InputLimits.points {
                "hold \(rows) points, expected at most \(InputLimits.points)"
            } else if points != rows {
                "hold \(rows) points, but markers of \(points) points: they were not built from the same rows"
            } else { "" }
        guard problem.isEmpty else { throw StoreError(path: "the parts", reason: .damaged(problem)) }
    }

    /// Names the largest tile without a part that begins at this code.
    private func missing(from code: UInt64) -> StoreError {
        let zoom = (0...(first?.manifest.cutZoom ?? 0)).first { zoom in
            let tile = TileCoordinate(node: MortonCode(rawValue: code).node(atDepth: zoom), atZoom: zoom)
            return tile.codes.lowerBound == code && !contains { $0.tile.codes.overlaps(tile.codes) }
        }
        guard let zoom else { preconditionFailure("a gap between tiles begins with a tile") }
        let tile = TileCoordinate(node: MortonCode(rawValue: code).node(atDepth: zoom), atZoom: zoom)
        return StoreError(path: "part \(tile)", reason: .missing)
    }

    /// - Throws: ``InputError`` if several rows have the same id; `StoreError` if ids can't be read.
    func requireDistinctIDs(_ memory: ListMemory) throws {
        let sections = try map { part throws(StoreError) in try part.file.section(PartSection.ids) }
        // An id is found by its part's number and its position in the section.
        let positionBits: UInt64 = 40
        var ids = RunSorter<HashedRow>(memory)
        for (number, part) in enumerated() {
            var reader = PartBytes(sections[number])
            while !reader.isAtEnd {
                let start = UInt64(number) << positionBits | UInt64(reader.position)
                guard let id = reader.text() else { throw part.file.damaged("has ids that can't be read") }
                try ids.append(HashedRow(hash: RowDigest(id.bytes).hash, start: start))
            }
        }
        func id(at start: UInt64) -> [UInt8] {
            let position = Int(start & (1 << positionBits - 1))
            var reader = PartBytes(UnsafeRawBufferPointer(rebasing: sections[Int(start >> positionBits)][position...]))
            return reader.text().map { [UInt8]($0) } ?? []
        }
        var first: (id: [UInt8], starts: [UInt64])?
        var (idCount, rowCount) = (0, 0)
        try ids.forEachShared { rows in
            for (id, starts) in Dictionary(grouping: rows.map(\.start).sorted(), by: id) where starts.count > 1 {
                (idCount, rowCount) = (idCount + 1, rowCount + starts.count)
                if first.map({ starts[0] < $0.starts[0] }) ?? true { first = (id, starts) }
            }
        }
        guard let first else { return }
        let paths = first.starts.prefix(2).map { self[Int($0 >> positionBits)].path }
        let id = InputError.quoted(first.id)
        throw InputError(
            .badData, in: paths[1],
            (paths[0] == paths[1] ? "has two rows with the id \(id)" : "shares the id \(id) with \(paths[0])")
                + "; in all parts, \(NumberText.counted(rowCount, "row")) share \(NumberText.counted(idCount, "id")); finished tiles can't drop "
                + "rows: remove repeated rows from the input, or name a property with a unique id for each point with "
                + "\(.idColumn), and build the parts again"
        )
    }
}
