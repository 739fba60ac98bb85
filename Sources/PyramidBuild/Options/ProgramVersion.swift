/// The version of pyramid.
public enum ProgramVersion {
    public static let number = "0.2.0"
    /// The program's name and version, as manifests state them.
    public static let generator = "pyramid \(number)"
}
