import PyramidClusters
import PyramidTiles

/// Writes tiles one after another into a buffer that it reuses: ``begin(_:)``, any number of markers, ``finish()``.
package protocol TileEncoder: ~Copyable, SendableMetatype {
    /// Whether a tile has the same bytes at every zoom at which it has the same markers, so that they can be used again.
    static var isSameAtEveryZoom: Bool { get }

    /// Whether a tile has a table of combinations of values.
    static var hasFacetTable: Bool { get }

    init(_ options: EncodingOptions)

    /// Begins a tile and forgets the one before.
    mutating func begin(_ tile: TileCoordinate)
    /// Sets what the features that follow state as their parent; 0 for nothing.
    mutating func set(parent: UInt64)
    mutating func append<Marker: MarkerView & ~Copyable>(_ marker: inout Marker)
    mutating func finish()
    /// Tells that no kept feature will be appended any more, so that what only they need can be forgotten.
    mutating func forgetFeatures()

    /// The tile's bytes, complete after ``finish()``.
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result

    /// Appends a feature that ``appendLastFeature(to:)`` has copied, perhaps from a tile of another zoom.
    /// - Parameter place: the same as there.
    mutating func append(feature: Range<Int>, of features: borrowing ByteBuffer, at place: WorldPoint)
    /// The types of the property that holds ids, in all tiles so far.
    var idTypes: ValueKinds { get }
    /// Copies the feature that was appended last to `features`, in a form that suits all zooms: without a parent.
    /// - Returns: its range in `features`.
    func appendLastFeature(to features: inout ByteBuffer) -> Range<Int>

    /// Sets what a bundle states of the features that follow.
    mutating func set(_ record: RecordMembers)
    /// Begins a tile's table of combinations of values, which facets refer to, or ends it with none.
    mutating func begin(facets table: [[UInt8]])
    /// Adds facets to the feature that was appended last; ``appendLastFeature(to:)`` leaves them out if it comes first.
    /// - Parameters:
    ///   - facets: the number of members with each combination; empty for none.
    ///   - numbers: by combination: its index in the table.
    mutating func add(facets: some Collection<CategoryColumn.Count>, numbers: [UInt32])
}

extension TileEncoder where Self: ~Copyable {
    package mutating func forgetFeatures() {}

    // For formats without bundles, whose features spell combinations out.
    package static var hasFacetTable: Bool { false }
    package mutating func begin(facets table: [[UInt8]]) {}
    package mutating func add(facets: some Collection<CategoryColumn.Count>, numbers: [UInt32]) {}
    package mutating func set(_ record: RecordMembers) {}
}

/// What a bundle states of a feature, as members of the feature, beside its properties.
package struct RecordMembers {
    /// The first zoom at which it is shown; `nil` for the bundle's own.
    var firstZoom: Int?
    /// The last zoom at which it is shown; `nil` for the tileset's.
    var lastZoom: Int?
    var parent: BundleParent?

    package init(firstZoom: Int? = nil, lastZoom: Int? = nil, parent: BundleParent? = nil) {
        (self.firstZoom, self.lastZoom, self.parent) = (firstZoom, lastZoom, parent)
    }
}

/// The options that shape the bytes of tiles besides their markers.
package struct EncodingOptions: Sendable {
    /// What `point_count_abbreviated` holds.
    let countLabel: CountLabel
    /// The property of points for ids that a feature's id can't hold.
    let idProperty: String
    /// The name of the layer of MVT tiles, at most 127 bytes.
    let layer: String

    package init(
        countLabel: CountLabel = .abbreviated, idProperty: String = "id", layer: String = TileStorage.defaultLayer
    ) {
        self.countLabel = countLabel
        self.idProperty = idProperty
        self.layer = layer
    }
}
