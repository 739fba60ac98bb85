import ArgumentParser
import PyramidParts
import PyramidTiles

struct PartOptionGroup: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            GeoJSON only: build this part of the world, as a file for `pyramid join`. Rows elsewhere are ignored.
            """, valueName: "z/x/y"),
        transform: { try required(TileCoordinate($0), $0, "a tile such as 4/8/5") })
    var part: TileCoordinate?

    @Option(
        name: .customLong("cut-zoom"),
        help: ArgumentHelp(
            "With --part: the last zoom that `pyramid join` makes; the same for all parts.", valueName: "zoom"))
    var cutZoom: Int?

    @Option(
        help: ArgumentHelp(
            "GeoJSON only: the columns of all rows, as written by `pyramid schema`. Needed with --part.",
            valueName: "file"),
        completion: .file())
    var schema: String?

    /// Forces parts in tests: the rows to keep while reading, the rows of a part, and the markers to join.
    @Option(name: .customLong("part-limits"), help: .private, transform: partLimits)
    var limits: PartLimits?

    func validate() throws {
        if part != nil, cutZoom == nil { throw ValidationError("--part needs --cut-zoom") }
        if part == nil, cutZoom != nil { throw ValidationError("--cut-zoom needs --part") }
    }

    var worldPart: WorldPart? {
        guard let part, let cutZoom else { return nil }
        return WorldPart(tile: part, cutZoom: cutZoom)
    }

    private static func partLimits(_ text: String) throws -> PartLimits {
        let numbers = text.split(separator: ",").compactMap { Int($0) }
        guard numbers.count == 3 else { throw ValidationError("found \"\(text)\", expected three numbers") }
        // Whether rows are copied mustn't depend on the free memory: tests count system calls.
        return PartLimits(rowsRead: numbers[0], rowsPerPart: numbers[1], joinMarkers: numbers[2], copiesRows: true)
    }
}
