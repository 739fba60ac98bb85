/// How far a build is.
public enum BuildProgress: Equatable, Sendable {
    /// The bytes of standard input, a pipe or gzip data that have been copied to a temporary file to be read from there.
    case copying(bytes: Int)
    /// The bytes of the input that have been read.
    case reading(bytes: Int, of: Int)
    /// All points have been read.
    case sorting(points: Int)
    case clustering(zoom: Int)
    /// The markers of a zoom are being put in order.
    case arranging(zoom: Int)
    /// The tiles and markers written since the last report, and the approximate number of markers at all zooms.
    case writing(tiles: Int, markers: Int, ofMarkers: Int)
    /// The pages of clusters' points written since the last report.
    case writingLeaves(pages: Int)
}
