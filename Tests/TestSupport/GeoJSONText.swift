/// Short GeoJSON for tests.
package enum GeoJSONText {
    /// A feature at -3.5, 51.25 or elsewhere.
    package static func feature(_ coordinates: String = "[-3.5,51.25]", _ more: String = #","properties":null"#)
        -> String
    {
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(coordinates)}\#(more)}"#
    }
}
