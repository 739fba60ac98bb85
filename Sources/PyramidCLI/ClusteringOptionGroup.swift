import ArgumentParser
import PyramidTiles

extension ClusteringOptions.Position: ExpressibleByArgument {}
extension ClusteringOptions.Mode: ExpressibleByArgument {}

struct ClusteringOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where a cluster is drawn: at its anchor, the point whose place it keeps, or near the centroid of its points.",
            valueName: "position"))
    var position = ClusteringOptions.Position.anchor

    @Option(
        help: ArgumentHelp(
            """
            Tile size on screen: 256, or 512 for MapLibre's vector sources. Distances are in these pixels. \
            (default: 256; 512 for MVT)
            """, valueName: "pixels"))
    var tileSize: Int?

    @Option(
        help: ArgumentHelp("Minimum points per cluster; smaller groups are written as single points.", valueName: "n"))
    var minPoints = ClusteringOptions().minPoints

    @Option(
        help: ArgumentHelp(
            "Keep more than N points at one place as a cluster at every zoom, including the last.",
            valueName: "n"))
    var coincidentLimit: Int?

    @Option(
        help: ArgumentHelp(
            "A numeric column: of points too close together, the one with the highest number keeps its place.",
            valueName: "column"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "An integer column: how many points each row counts as. Clusters have the sum as point_weight.",
            valueName: "column"))
    var weight: String?

    @Option(
        help: ArgumentHelp(
            """
            Never merge points with this value in the column; without =value, any value except empty, 0, false, no, n \
            and off. They are shown at their own places at every zoom.
            """, valueName: "column[=value]"),
        transform: { try required(UnclusteredRule($0), $0, "column or column=value") })
    var unclustered: UnclusteredRule?

    @Option(
        name: [.customLong("min-zoom"), .customShort("Z", allowingJoined: true)],
        help: ArgumentHelp("The first zoom with tiles.", valueName: "zoom"))
    var minZoom = ClusteringOptions().minZoom

    @Option(
        // Reads -1 as a value, not as an option.
        parsing: .unconditional,
        help: ArgumentHelp("The last zoom with clusters, -1 for none. (default: max zoom - 1)", valueName: "zoom"))
    var clusterMaxzoom: Int?

    @Option(
        help: ArgumentHelp(
            "markers: points and clusters. filter: no clusters; of points too close together, only one is shown, with "
                + "point_count, the number of points that it stands for.",
            valueName: "mode"))
    var mode = ClusteringOptions.Mode.markers

    /// - Parameter codec: decides the default tile size.
    func options(_ common: CommonOptionGroup, _ codec: TileCodec) -> ClusteringOptions {
        var options = ClusteringOptions(
            position: position, clusterDistance: common.clusterDistance, minPoints: minPoints, minZoom: minZoom,
            maxZoom: common.maxZoom.zoom ?? ClusteringOptions.zooms.upperBound, clusterMaxZoom: clusterMaxzoom)
        options.tileSize = tileSize ?? codec.defaultTileSize
        options.mode = mode
        options.coincidentLimit = coincidentLimit
        options.priorityColumn = priority
        options.weightColumn = weight
        options.groupColumn = common.groupBy
        options.unclustered = unclustered
        return options
    }
}
