import Foundation
import PyramidBuild
import PyramidInput
import PyramidServer
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidCLI

/// Holds the table in the page of PyramidBuild, from flags to properties, against the command line and the compiler.
struct OptionTableTests {
    private struct Row: Sendable {
        let flags: String
        let set: @Sendable (inout BuildOptions) -> Void

        init(_ flags: String, _ set: @escaping @Sendable (inout BuildOptions) -> Void) {
            (self.flags, self.set) = (flags, set)
        }
    }

    private static let rows = [
        Row("--longitude-column lon") { $0.input.longitudeColumn = "lon" },
        Row("--latitude-column lat") { $0.input.latitudeColumn = "lat" },
        Row("--point-column place") { $0.input.pointColumn = "place" },
        Row("--id-column id") { $0.input.idColumn = "id" },
        Row("--include name,kind") { $0.input.include = ["name", "kind"] },
        Row("--exclude note") { $0.input.exclude = ["note"] },
        Row("--types code:string") { $0.input.types = [ColumnTypeRule(column: "code", type: .string)] },
        Row("--delimiter :") { $0.input.delimiter = ":" },
        Row("--skip-lines 2") { $0.input.skipLines = 2 },
        Row("--max-skipped 5%") { $0.input.maxSkipped = .percent(5) },
        Row("--strict") { $0.input.isStrict = true },
        Row("--max-zoom 12") { $0.clustering = ClusteringOptions(maxZoom: 12) },
        Row("--max-zoom auto") { $0.choosesMaxZoom = true },
        Row("--min-zoom 2") { $0.clustering.minZoom = 2 },
        Row("--cluster-maxzoom 9") { ($0.clustering.clusterMaxZoom, $0.choosesClusterMaxZoom) = (9, false) },
        Row("--cluster-distance 60") { $0.clustering.clusterDistance = 60 },
        Row("--position centroid") { $0.clustering.position = .centroid },
        Row("--tile-size 512") { $0.clustering.tileSize = 512 },
        Row("--min-points 3") { $0.clustering.minPoints = 3 },
        Row("--coincident-limit 100") { $0.clustering.coincidentLimit = 100 },
        Row("--priority rank") { $0.clustering.priorityColumn = "rank" },
        Row("--weight visitors") { $0.clustering.weightColumn = "visitors" },
        Row("--group-by kind") { $0.clustering.groupColumn = "kind" },
        Row("--unclustered kind=capital") {
            $0.clustering.unclustered = UnclusteredRule(column: "kind", value: "capital")
        },
        Row("--mode filter") { $0.clustering.mode = .filter },
        Row("--accumulate-attribute seats:sum") {
            $0.clusters.accumulate = [Accumulation(name: "seats", operation: .sum)]
        },
        Row("--count-by kind:5") { $0.clusters.countBy = [CategoryCount(name: "kind", limit: 5)] },
        Row("--filter-by price:10:20") { $0.clusters.filterBy = [FacetColumn(name: "price", edges: [10, 20])] },
        Row("--date-format DD.MM.YYYY --filter-by opened:month") {
            $0.clusters.filterBy = [
                FacetColumn(
                    name: "opened",
                    dates: FacetDates(unit: .month, notation: DatePattern("DD.MM.YYYY").map(DateNotation.pattern)))
            ]
        },
        Row("--cluster-properties name") { $0.clusters.properties = ["name"] },
        Row("--members 10") { $0.clusters.memberLimit = 10 },
        Row("--member-properties name") { $0.clusters.memberProperties = ["name"] },
        Row("--count-label exact") { $0.clusters.countLabel = .exact },
        Row("--format mvt") { ($0.storage, $0.clustering.tileSize) = (TileStorage(codec: .mvt), 512) },
        Row("--layer shops") { $0.storage.layer = "shops" },
        Row("--bundle 256") { $0.storage.layout = .bundles(limit: 256) },
        Row("--tile-suffix .geojson") { $0.storage.suffix = ".geojson" },
        Row("--compression none") { $0.storage.compression = .none },
        Row("--compression-level 9") { $0.compressionLevel = 9 },
        Row("--name Cafés") { $0.tileJSON.name = "Cafés" },
        Row("--description Open") { $0.tileJSON.description = "Open" },
        Row("--attribution OSM") { $0.tileJSON.attribution = "OSM" },
        Row("--base-url https://example.org/t") { $0.tileJSON.baseURL = "https://example.org/t" },
        Row("--preview") { $0.previewPage = PreviewPage.html(leaflet: nil) },
        Row("--force") { $0.force = true },
        Row("--no-sync") { $0.syncs = false },
        Row("--jobs 2") { $0.jobs = 2 },
        Row("--memory-limit 4G") { $0.memoryLimit = .bytes(4 << 30) },
    ]

    /// What is printed, what is about parts, and what the page is made of.
    private static let others = [
        "--quiet", "--json", "--help", "--version", "--part", "--cut-zoom", "--schema", "--leaflet", "--basemap",
        "--basemap-attribution",
    ]

    @Test func `a flag sets the property that the table says`() throws {
        for row in OptionTableTests.rows {
            let words = row.flags.split(separator: " ").map(String.init)
            // The command line has another default.
            let zoom = words[0] == "--max-zoom" ? [] : ["--max-zoom", "14"]
            var found = try BuildCommand.parse(["in.csv", "out"] + words + zoom).options(nil)
            var expected = BuildOptions(inputPaths: ["in.csv"], outputPath: "out")
            row.set(&expected)
            if found.choosesMaxZoom { found.clustering = expected.clustering }
            // A page has too many bytes to be shown.
            #expect((found.previewPage == nil) == (expected.previewPage == nil))
            (found.previewPage, expected.previewPage) = (nil, nil)
            #expect(described(found) == described(expected), "\(row.flags)")
        }
    }

    private func described(_ options: BuildOptions) -> String {
        var text = ""
        dump(options, to: &text)
        return text
    }

    @Test func `the table has these rows and no other, and every flag of build`() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let rows = source.matches(of: /Row\("(--[^"]+)"\) \{\s+(.+?)\s+\},\n/.dotMatchesNewlines()).map { match in
            let code = match.2.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return "| `\(match.1)` | `\(code.replacing("$0.", with: "options."))` |"
        }
        #expect(rows.count == OptionTableTests.rows.count)
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appendingPathComponent("Sources/PyramidBuild/PyramidBuild.docc/PyramidBuild.md"),
            encoding: .utf8)
        #expect(page.split(separator: "\n").filter { $0.hasPrefix("| `--") }.map(String.init) == rows)

        let help = try CommandLineProgram.run(["build", "--help-hidden"]).standardOutput
        let flags = help.split(separator: "\n").filter { $0.hasPrefix("  -") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("--") }.map { $0.prefix { $0 != "," } }
        }.map { $0 == "--sync/--no-sync" ? "--no-sync" : String($0) }
        let listed = OptionTableTests.rows.compactMap { $0.flags.split(separator: " ").first.map(String.init) }
        #expect(Set(flags).symmetricDifference(listed + OptionTableTests.others) == [])
    }
}
