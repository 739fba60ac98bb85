import PyramidTiles

/// How exactly tiles store places. GeoJSON stores every coordinate unchanged. MVT stores the nearest of 8192 × 8192
/// places in the tile; from zoom 19 on, that is every place on the map.
struct PlacePrecision: Sendable {
    /// Whether tiles store coordinates unchanged.
    let isExact: Bool

    init(_ manifest: Manifest) {
        isExact = manifest.content.storage.codec.hasExactPlaces
    }

    func isExact(atZoom zoom: Int) -> Bool { isExact || MVTPlace.worldUnits(atZoom: zoom) == 1 }

    /// How much shorter a distance can look than it is, in world units, rounded up. Along each axis, a place is off by
    /// up to half a unit of the tile, or a whole one at its eastern and southern border, so two places by 1.5 * sqrt(2)
    /// units.
    func distanceUnits(atZoom zoom: Int) -> UInt64 {
        isExact(atZoom: zoom) ? 0 : UInt64(MVTPlace.worldUnits(atZoom: zoom)) * 21_214 / 10_000 + 1
    }

    /// The places that a tile shows at this place.
    func places(shownAs code: MortonCode, atZoom zoom: Int) -> PlaceRange {
        let point = code.point
        guard !isExact(atZoom: zoom) else { return PlaceRange(x: point.x...point.x, y: point.y...point.y) }
        return PlaceRange(
            x: PlacePrecision.coordinates(shownAs: point.x, atZoom: zoom),
            y: PlacePrecision.coordinates(shownAs: point.y, atZoom: zoom))
    }

    private static func coordinates(shownAs coordinate: UInt32, atZoom zoom: Int) -> ClosedRange<UInt32> {
        let unit = MVTPlace.worldUnits(atZoom: zoom)
        let width = UInt64(1) << UInt64(32 - zoom)
        let offset = UInt64(coordinate) & (width - 1)
        let first = coordinate - UInt32(min(offset, UInt64(unit / 2)))
        // The last unit stands for all places up to the tile's border.
        let isLast = offset + UInt64(unit) >= width
        return first...coordinate + (isLast ? UInt32(width - 1 - offset) : unit / 2 - 1)
    }

    /// Sentences for ``VerificationReport/allowances``.
    var allowances: [String] {
        guard !isExact else { return [] }
        return [
            "verified exactly in MVT: counts, sums and ids that are whole numbers, expansion zooms and labels; other sums as "
                + "exactly as doubles; distances and the order in a tile as exactly as places, which are rounded to 1/8192 "
                + "of a tile: two markers can look 2.13 of these units closer than they are",
            "not verified in MVT without the input: where exactly markers are, and their bounds; distances within groups, and "
                + "different ids, that are numbers but not whole ones",
        ]
    }
}

/// A rectangle of places on the map.
struct PlaceRange: Equatable, Sendable {
    let x, y: ClosedRange<UInt32>

    init(x: ClosedRange<UInt32>, y: ClosedRange<UInt32>) {
        (self.x, self.y) = (x, y)
    }

    /// The first and the last code on the Z curve, which ascends along both axes.
    var firstCode: UInt64 { MortonCode(WorldPoint(x: x.lowerBound, y: y.lowerBound)).rawValue }
    var lastCode: UInt64 { MortonCode(WorldPoint(x: x.upperBound, y: y.upperBound)).rawValue }
}

extension MVTTranscript.Rules {
    /// How the verifier reads MVT tiles as GeoJSON.
    init(_ manifest: Manifest) {
        let (storage, clusters) = (manifest.content.storage, manifest.content.clusters)
        self.init(
            idProperty: manifest.content.idProperty,
            nestedProperties: clusters.countBy.map(\.name)
                + (clusters.memberLimit == nil ? [] : [ClusterContentOptions.membersName])
                + (clusters.filterBy.isEmpty ? [] : [ClusterContentOptions.facetsName]),
            hasGeometries: false, layer: storage.layer)
    }
}
