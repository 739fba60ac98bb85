/// Reads the points of one format of input: CSV now; GeoJSON is planned.
protocol PointReader {
    /// - Parameter progress: is told from time to time how many bytes of how many are read.
    /// - Throws: ``InputError`` where the input has no usable point, or with its first bad row if it is to be strict.
    func read(progress: (_ bytesRead: Int, _ byteCount: Int) -> Void) throws(InputError) -> PointTable
}
