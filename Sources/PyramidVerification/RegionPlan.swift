import PyramidStore
import PyramidTiles

extension Regions {
    /// What the checks of a region need for each of its points, and for the markers around it: an upper bound of what
    /// was measured.
    private static let bytesPerPoint = 250
    private static let bytesPerGroupedPoint = 350
    /// What the program needs for anything else.
    private static let baseBytes = 60 << 20
    /// The number of files that are examined at most.
    private static let sampledFiles = 1 << 18

    /// Regions of about the same number of points, few enough for each to be checked within a limit.
    /// - Parameter limitBytes: `nil` without a limit.
    init(_ list: FileList, _ manifest: Manifest, limitBytes: Int?) {
        let hasFacets = !manifest.content.clusters.filterBy.isEmpty
        let bytesPerPoint = hasFacets ? Regions.bytesPerGroupedPoint : Regions.bytesPerPoint
        let needed = max(0, manifest.input.rowsAccepted).multipliedReportingOverflow(by: bytesPerPoint)
        // Half the limit at least, or the markers around regions would take most of it.
        let room = limitBytes.map { max($0 - Regions.baseBytes, $0 / 2, 1) } ?? .max
        let count = needed.overflow ? 1 : (needed.partialValue - 1) / room + 1
        self = count > 1 ? Regions(list, manifest, count: count) : .world
    }

    /// - Parameter count: the most regions, all of about equal size.
    init(_ list: FileList, _ manifest: Manifest, count: Int) {
        // These files hold every point.
        let tiles = list.entries(of: .tile, atZoom: manifest.options.maxZoom)
        let bundles = list[.bundle]
        let step = max(1, (tiles.count + bundles.count) / Regions.sampledFiles)
        var weights: [(code: UInt64, bytes: Int)] = []
        for files in [tiles, bundles] {
            for index in stride(from: files.startIndex, to: files.endIndex, by: step) {
                guard let tile = files[index].address.tile else { continue }
                weights.append((tile.codes.lowerBound, files[index].file.bodyByteCount))
            }
        }
        weights.sort { $0.code < $1.code }
        let total = weights.reduce(0) { $0 + $1.bytes }
        var (cuts, sum): ([UInt64], Int) = ([], 0)
        for (code, bytes) in weights {
            while cuts.count < count - 1, sum >= total / count * (cuts.count + 1) { cuts.append(code) }
            sum += bytes
        }
        self.init(cuts: cuts)
    }
}
