import ArgumentParser
import PyramidTiles

extension ClusteringOptions.Method: ExpressibleByArgument {}
extension ClusteringOptions.Position: ExpressibleByArgument {}
extension ClusteringOptions.Output: ExpressibleByArgument {}
extension PixelsByZoom: ExpressibleByArgument {}

enum MaxZoom: ExpressibleByArgument {
    case auto
    case fixed(Int)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let zoom = Int(argument) {
            self = .fixed(zoom)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { "\(zoom)" }

    /// The deepest that it can be.
    var zoom: Int {
        switch self {
        case .auto: 16
        case .fixed(let zoom): zoom
        }
    }

    var isAuto: Bool { if case .auto = self { true } else { false } }
}

struct ClusteringOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "anchors: no two markers are closer than the cluster distance. grid: one marker for each cell.",
            valueName: "method"))
    var method = ClusteringOptions.Method.anchors

    @Option(
        help: ArgumentHelp(
            "markers: points and clusters. filter: the anchors alone as plain points, what would overlap is hidden.",
            valueName: "output"))
    var output = ClusteringOptions.Output.markers

    @Flag(help: "With filter: every point has point_count, for how many it stands.")
    var keepCount = false

    @Option(
        help: ArgumentHelp(
            "Where a cluster is shown. (anchors: anchor or centroid; grid: centroid, nearest or inset; default: the first)",
            valueName: "position"))
    var position: ClusteringOptions.Position?

    @Option(
        help: ArgumentHelp(
            "Pixels of a 256-pixel tile, 1 to 256, for all zooms or by zoom: 0-8:60,9-:40.", valueName: "pixels"))
    var clusterDistance = ClusteringOptions().clusterDistance

    @Option(
        help: ArgumentHelp("With grid: pixels, a power of two from 4 to 256, or by zoom.", valueName: "pixels"))
    var cellSize = ClusteringOptions().cellSize

    @Option(help: ArgumentHelp("Clusters of fewer points are written as their points.", valueName: "n"))
    var minPoints = ClusteringOptions().minPoints

    @Option(
        help: ArgumentHelp(
            "The point or cluster of the greater number in this column keeps its place.", valueName: "column"))
    var priority: String?

    @Option(
        help: ArgumentHelp(
            "For how many a point counts where the biggest keeps its place: a whole number. Clusters carry the sum as point_weight.",
            valueName: "column"))
    var weight: String?

    @Option(
        help: ArgumentHelp(
            "Points of different values in this column never merge; clusters carry the value, and markers keep their distance within a group.",
            valueName: "column"))
    var groupBy: String?

    @Option(
        help: ArgumentHelp(
            "Points that are never merged: those with this value, or with any but 0, false, no, n, off. They stand at every zoom, where they are.",
            valueName: "column[=value]"),
        transform: unclusteredRule)
    var unclustered: UnclusteredRule?

    @Option(help: ArgumentHelp("The first zoom with tiles.", valueName: "zoom"))
    var minZoom = ClusteringOptions().minZoom

    @Option(
        help: ArgumentHelp(
            "The last zoom with tiles; every point stands by itself there. auto: the first zoom at which 99 % of the places stand alone, at most 16.",
            valueName: "zoom"))
    var maxZoom = MaxZoom.fixed(ClusteringOptions().maxZoom)

    @Option(
        // -1, which is before all zooms, is a value here and no option.
        parsing: .unconditional,
        help: ArgumentHelp("The last zoom with clusters, -1 for none. (default: max zoom - 1)", valueName: "zoom"))
    var clusterMaxzoom: Int?

    func validate() throws {
        if maxZoom.isAuto, clusterMaxzoom != nil {
            throw ValidationError(
                "--max-zoom auto chooses the last zoom with clusters too, expected no --cluster-maxzoom")
        }
    }

    var options: ClusteringOptions {
        var options = ClusteringOptions(
            method: method, position: position, clusterDistance: clusterDistance, cellSize: cellSize,
            minPoints: minPoints, minZoom: minZoom, maxZoom: maxZoom.zoom, clusterMaxZoom: clusterMaxzoom)
        options.output = output
        options.keepsCount = keepCount
        options.priorityColumn = priority
        options.weightColumn = weight
        options.groupColumn = groupBy
        options.unclustered = unclustered
        return options
    }

    private static func unclusteredRule(_ text: String) throws -> UnclusteredRule {
        guard let rule = UnclusteredRule(text) else {
            throw ValidationError("\"\(text)\" is no column or column=value")
        }
        return rule
    }
}
