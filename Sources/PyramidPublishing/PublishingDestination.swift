/// A place that pyramids are published to. Files have paths relative to it, such as "tiles/3/4/2.json".
///
/// A reader of the place sees a file either as it was or as it is, never a part. Methods throw ``PublishingError``, and
/// `StoreError` for files of the pyramid.
public protocol PublishingDestination: Sendable, CustomStringConvertible {
    /// A whole file beside the tiles; `nil` where there is none.
    func content(of name: String) throws -> [UInt8]?

    /// Writes a file beside the tiles.
    func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws

    /// Copies files.
    /// - Parameters:
    ///   - paths: at both places the same.
    ///   - directory: the path of the pyramid.
    func upload(_ paths: [String], from directory: String, _ headers: PublishingHeaders) throws

    /// Removes files; some may not be there.
    func remove(_ paths: [String]) throws

    /// Ends what is under way, from any thread: calls that run and later ones throw.
    func stop()
}
