/// A vector tile as GeoJSON text, which ``GeoJSONFeatureReader`` can read, and the places that the text can't hold exactly.
package struct MVTTranscript {
    package let json: [UInt8]
    /// By feature.
    package let places: [WorldPoint]

    /// How properties become GeoJSON.
    package struct Rules: Sendable {
        /// The property that holds ids; `nil` to leave it among the properties.
        package var idProperty: String?
        /// Properties of clusters with JSON as text, which becomes a JSON value.
        package var nestedProperties: [String] = []
        /// Whether features have their places as geometries, and not only in ``MVTTranscript/places``.
        package var hasGeometries = true
        /// The name that the layer must have; `nil` for any.
        package var layer: String?

        package init(
            idProperty: String? = nil, nestedProperties: [String] = [], hasGeometries: Bool = true, layer: String? = nil
        ) {
            self.layer = layer
            self.hasGeometries = hasGeometries
            self.idProperty = idProperty
            self.nestedProperties = nestedProperties
        }

        /// All properties stay properties.
        package static let none = Rules()
    }
}
