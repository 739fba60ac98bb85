/// The JavaScript library, to embed in pages.
public enum WebLibrary {
    /// The modules that show markers on a Leaflet map, and their legend, by file name.
    public static var modules: [String: String] { EmbeddedFiles.texts }
}
