import PyramidBuild
import PyramidStore
import PyramidTiles

/// How much of a build in parts is in memory at once.
package struct PartLimits: Equatable, Sendable {
    /// The most rows to keep while the input is read. With fewer rows, the build isn't done in parts.
    var rowsRead: Int
    /// The most rows of a part, with its halo.
    var rowsPerPart: Int
    /// The most markers that the parts hand over.
    var joinMarkers: Int
    /// Whether rows are copied; `nil` to decide by the size of the inputs.
    var copiesRows: Bool?

    package init(rowsRead: Int, rowsPerPart: Int, joinMarkers: Int, copiesRows: Bool? = nil) {
        (self.rowsRead, self.rowsPerPart, self.joinMarkers) = (rowsRead, rowsPerPart, joinMarkers)
        self.copiesRows = copiesRows
    }
}

/// The memory that a build in parts may use.
struct PartMemory {
    let limitBytes: Int
    /// Whether the limit is the system's rather than the user's.
    let isAvailable: Bool
    let limits: PartLimits

    /// Whether rows of inputs of this size are copied, because they don't all stay in the system's cache beside this build.
    func copiesRows(_ byteCount: Int) -> Bool {
        limits.copiesRows ?? (byteCount > (SystemMemory().availableBytes - limitBytes) / 2)
    }

    /// The memory for each list of files.
    var listBytes: Int { min(max(limitBytes / 64, 1 << 12), 64 << 20) }

    /// - Parameters:
    ///   - alternative: what helps besides more memory.
    ///   - problem: says what needs how much memory; gets the amount.
    func check(
        _ bytes: Int, alternative: OptionMessage? = nil, _ problem: (_ amount: OptionMessage) -> OptionMessage
    ) throws(MemoryError) {
        guard bytes > limitBytes else { return }
        throw MemoryError(
            needBytes: bytes, limitBytes: limitBytes, isAvailable: isAvailable, alternative: alternative, problem)
    }
}

extension PartLimits {
    /// - Parameter bytes: the memory that the build may use.
    init(bytes: Int, _ options: BuildOptions) {
        let free = max(bytes - MemoryEstimate.fixedBytes(options), 0)
        self.init(
            rowsRead: max(free / MemoryEstimate.bytesPerPoint, 1),
            rowsPerPart: max(free / MemoryEstimate.bytesPerPartRow(options), 1),
            joinMarkers: max(free / MemoryEstimate.bytesPerJoinMarker(options), 1))
    }
}

/// A build in parts. Measured as said at ``MemoryEstimate``.
extension MemoryEstimate {
    /// What a part and the join need without any rows. Parts keep their lists of files on disk.
    static func fixedBytes(_ options: BuildOptions) -> Int {
        baseBytes + (options.storage.layout.bundleLimit == nil ? 0 : bundleBytes) + partBuffersBytes
    }

    /// The memory for keeping rows while the input is read, with what is needed to continue in parts if there are more.
    static func bytesToRead(_ rowCount: Int, _ options: BuildOptions) -> Int {
        fixedBytes(options) + rowCount * bytesPerPoint
    }

    /// The buffers of the lists of files and of the rows on disk.
    static let partBuffersBytes = 24_000_000

    /// A row of a part: the point, its columns, and its markers at all zooms.
    static func bytesPerPartRow(_ options: BuildOptions) -> Int {
        let estimate = MemoryEstimate(
            pointCount: 1, clustering: options.clustering, clusters: options.clusters)
        return estimate.bytes - baseBytes
            + bytesPerPartMarker
            + (options.storage.layout.bundleLimit == nil ? 0 : bytesPerRecord / 2)
    }

    /// The markers of a row at all zooms.
    private static let bytesPerPartMarker = 30

    /// A marker that is handed over to the join, with its row and its aggregates.
    static func bytesPerJoinMarker(_ options: BuildOptions) -> Int {
        let columnCount = options.clusters.accumulate.count + options.clusters.countedColumnCount
        return 480 + 160 * columnCount + 100 * options.rowsPerHandedOverMarker
    }

    /// A row that an option makes the join read in addition to its markers.
    static let bytesPerJoinRow = 100
}

extension BuildOptions {
    /// About how many rows are handed over with a marker.
    fileprivate var rowsPerHandedOverMarker: Int { max(clusters.memberLimit ?? 1, clustering.minPoints - 1) }

    /// The option because of which no part of the world can be built by itself; `nil` if there is none.
    var partObstacle: OptionMessage? {
        let clusterMaxZoom = choosesMaxZoom ? choiceClustering.clusterMaxZoom : clustering.clusterMaxZoom
        return clusterMaxZoom > clustering.minZoom ? nil : "fewer than two zooms with clusters"
    }
}
