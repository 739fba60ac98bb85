extension GzipInflater {
    /// Inflates a stream of one member, as every tile is, into an array that is reused from tile to tile.
    ///
    /// An inflater that has thrown is of no use any more.
    /// - Parameter limitBytes: inflating stops with ``GzipError/tooLarge(limitBytes:)`` where the content is longer;
    ///   memory stays below the limit and one step.
    public func inflateMember(
        _ bytes: [UInt8], into content: inout [UInt8], limitBytes: Int
    ) throws(GzipError) {
        content.removeAll(keepingCapacity: true)
        // The last four bytes say how long the content is, so a step that fits takes an honest stream in one go; one that
        // claims less than there is must not make the steps tiny.
        let claimedBytes = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let stepBytes = min(max(claimedBytes, 4095), limitBytes, 1 << 20) + 1
        var failure: GzipError?
        bytes.withUnsafeBytes { bytes in
            do throws(GzipError) {
                var rest = bytes
                repeat {
                    guard !rest.isEmpty else { throw .truncated }
                    rest = try inflate(rest, appendingTo: &content, stepBytes: stepBytes)
                    if content.count > limitBytes { throw .tooLarge(limitBytes: limitBytes) }
                } while !isAtMemberEnd
                if !rest.isEmpty { throw .trailingBytes }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
