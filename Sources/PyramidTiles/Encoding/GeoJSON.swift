/// The bytes that all our GeoJSON tiles share.
package enum GeoJSON {
    /// The first bytes of a tile.
    @inlinable package static var start: StaticString { #"{"type":"FeatureCollection","features":["# }
    /// What begins the table of combinations of values, after the features.
    package static var facetsStart: StaticString { #"],"facets":["# }
    /// The last bytes of a tile.
    @inlinable package static var end: StaticString { "]}" }
}
