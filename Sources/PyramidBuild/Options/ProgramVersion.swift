/// The version of pyramid.
public enum ProgramVersion {
    public static let number = "0.2.0"
    /// What made a tileset, as its manifest names it.
    public static let generator = "pyramid \(number)"
}
