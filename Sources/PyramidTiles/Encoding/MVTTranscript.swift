/// A vector tile as GeoJSON text, which ``GeoJSONFeatureReader`` can read, and the places that the text can't hold exactly.
package struct MVTTranscript {
    package let json: [UInt8]
    /// By feature.
    package let places: [WorldPoint]

    /// What becomes of properties in GeoJSON.
    package struct Rules: Sendable {
        /// The property that holds ids; `nil` to leave it among the properties.
        package var idProperty: String?
        /// Properties of clusters whose text becomes the JSON that it is.
        package var nestedProperties: [String] = []
        /// Whether the boxes of clusters become members of their features.
        package var hasBoxes = false

        /// The name that the layer must have; `nil` for any.
        package var layer: String?

        package init(
            idProperty: String? = nil, nestedProperties: [String] = [], hasBoxes: Bool = false, layer: String? = nil
        ) {
            self.layer = layer
            self.idProperty = idProperty
            self.nestedProperties = nestedProperties
            self.hasBoxes = hasBoxes
        }

        /// Every property stays what it is.
        package static let none = Rules()
    }
}
