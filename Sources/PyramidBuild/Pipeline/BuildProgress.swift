/// How far a build has come.
public enum BuildProgress: Equatable, Sendable {
    /// How much of standard input, a pipe or gzip data has been copied to a temporary file, from which it is read.
    case copying(bytes: Int)
    /// How much of the input has been read.
    case reading(bytes: Int, of: Int)
    /// All points have been read and are being sorted.
    case sorting(points: Int)
    /// How many rows have been counted, to choose the max zoom.
    case counting(rows: Int, of: Int)
    /// How far a build of one part after another has come; a row counts in each part that reads it.
    case building(part: Int, of: Int, rows: Int, ofRows: Int)
    case clustering(zoom: Int)
    /// The markers of a zoom are being put in order.
    case arranging(zoom: Int)
    /// The tiles and markers written since the last report, and the approximate number of markers at all zooms.
    case writing(tiles: Int, markers: Int, ofMarkers: Int)
}
