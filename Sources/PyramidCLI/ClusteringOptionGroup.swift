import ArgumentParser
import PyramidTiles

extension ClusteringOptions.Method: ExpressibleByArgument {}
extension ClusteringOptions.Position: ExpressibleByArgument {}
extension ClusteringOptions.Mode: ExpressibleByArgument {}

struct ClusteringOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "anchors: no two markers are closer than the cluster distance. grid: one marker per grid cell.",
            valueName: "method"))
    var method = ClusteringOptions.Method.anchors

    @Option(
        help: ArgumentHelp(
            """
            Where a cluster is drawn: anchor or centroid with the method anchors; centroid, nearest or inset with grid. \
            (default: the first)
            """, valueName: "position"))
    var position: ClusteringOptions.Position?

    @Option(
        help: ArgumentHelp(
            """
            Size of a grid cell in pixels: a power of two from 4 to 256 (with --tile-size 512: 8 to 512), also by zoom.
            """, valueName: "pixels"))
    var cellSize = ClusteringOptions().cellSize

    @Option(
        help: ArgumentHelp(
            """
            The pixels that maps give a tile, 256 or 512: what distances and cells are measured in. (default: 256; 512 \
            for MVT)
            """, valueName: "pixels"))
    var tileSize: Int?

    @Option(help: ArgumentHelp("Write clusters of fewer points as single points.", valueName: "n"))
    var minPoints = ClusteringOptions().minPoints

    @Option(
        help: ArgumentHelp(
            "Keep more than N points at one place together as a cluster at every zoom, the last included.",
            valueName: "n"))
    var coincidentLimit: Int?

    @Option(
        help: ArgumentHelp(
            "A numeric column: where markers compete for a place, the one with the greatest number keeps it.",
            valueName: "column"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "An integer column: how many points each row counts as. Clusters carry the sum as point_weight.",
            valueName: "column"))
    var weight: String?

    @Option(
        help: ArgumentHelp(
            """
            Never merge points with this value (without =value: any but an empty one, 0, false, no, n and off). They \
            stand where they are at every zoom.
            """, valueName: "column[=value]"),
        transform: unclusteredRule)
    var unclustered: UnclusteredRule?

    @Option(
        name: [.customLong("min-zoom"), .customLong("minimum-zoom"), .customShort("Z", allowingJoined: true)],
        help: ArgumentHelp("The first zoom with tiles.", valueName: "zoom"))
    var minZoom = ClusteringOptions().minZoom

    @Option(
        // Takes -1 as a value, not as an option.
        parsing: .unconditional,
        help: ArgumentHelp("The last zoom with clusters, -1 for none. (default: max zoom - 1)", valueName: "zoom"))
    var clusterMaxzoom: Int?

    @Option(
        help: ArgumentHelp(
            "markers: points and clusters. filter: no clusters; points that would overlap a higher one are hidden.",
            valueName: "mode"))
    var mode = ClusteringOptions.Mode.markers

    @Flag(help: "With --mode filter: every point carries point_count, how many points it stands for.")
    var keepCount = false

    /// - Parameter codec: decides the tile size if it isn't given.
    func options(_ common: CommonOptionGroup, _ codec: TileCodec) -> ClusteringOptions {
        var options = ClusteringOptions(
            method: method, position: position, clusterDistance: common.clusterDistance, cellSize: cellSize,
            minPoints: minPoints, minZoom: minZoom,
            maxZoom: common.maxZoom.zoom ?? ClusteringOptions.zooms.upperBound, clusterMaxZoom: clusterMaxzoom)
        options.tileSize = tileSize ?? codec.defaultTileSize
        options.mode = mode
        options.coincidentLimit = coincidentLimit
        options.keepsCount = keepCount
        options.priorityColumn = priority
        options.weightColumn = weight
        options.groupColumn = common.groupBy
        options.unclustered = unclustered
        return options
    }

    private static func unclusteredRule(_ text: String) throws -> UnclusteredRule {
        guard let rule = UnclusteredRule(text) else {
            throw ValidationError("found \"\(text)\", expected column or column=value")
        }
        return rule
    }
}
