/// The bytes that all our GeoJSON tiles share.
package enum GeoJSON {
    /// The first bytes of a tile.
    @inlinable package static var start: StaticString { #"{"type":"FeatureCollection","features":["# }
    /// The last bytes of a tile.
    @inlinable package static var end: StaticString { "]}" }
}
