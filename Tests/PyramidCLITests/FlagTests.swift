import Foundation
import TestSupport
import Testing

/// Every flag of every command, with what it changes. A flag without a row is found, and so is one that is read and then
/// forgotten.
@Suite(.tags(.slow), .enabled(if: try FaultLibrary.requirement.isMet()))
struct FlagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `every flag of every command has a row, and no other`() throws {
        let found = try Set(FlagTests.flagsInHelp().map { "\($0.command) \($0.flag)" })
        let named = FlagTests.rows.map { "\($0.command) \($0.flag[0])" } + FlagTests.plannedAlike.map { "plan \($0)" }
        #expect(found.count > 130)
        #expect(found.subtracting(named).sorted() == [])
        #expect(Set(named).subtracting(found).sorted() == [])
    }

    /// All flags, hidden ones too, by their first names.
    private static func flagsInHelp() throws -> [(command: String, flag: String)] {
        struct Command: Decodable {
            struct Argument: Decodable {
                struct Name: Decodable { let name: String }
                let kind: String
                let preferredName: Name?
            }
            let commandName: String
            let arguments: [Argument]?
            let subcommands: [Command]?
        }
        struct Help: Decodable { let command: Command }
        let json = try CommandLineProgram.run(["--experimental-dump-help"]).standardOutput
        let program = try JSONDecoder().decode(Help.self, from: Data(json.utf8)).command
        return (program.subcommands ?? []).filter { $0.commandName != "help" }.flatMap { command in
            (command.arguments ?? []).filter { $0.kind != "positional" }.compactMap { argument in
                argument.preferredName.map { (command.commandName, "--\($0.name)") }
            }
        }
    }

    @Test(arguments: ["build", "join", "plan", "schema", "verify", "show", "diff", "publish", "serve"])
    func `every flag changes what it is for`(command: String) throws {
        try makeFiles(for: command)
        let rows = FlagTests.rows.filter { $0.command == command }
        #expect(rows.count > 2)
        // Most rows have nothing besides.
        var plainRuns: [[String]: Run] = [:]
        for (number, row) in rows.enumerated() {
            let others = row.others + (row.flag[0] == "--max-zoom" ? row.flag : [])
            let without = try plainRuns[others] ?? run(row, isFlagged: false, "\(number)-without")
            plainRuns[others] = without
            let with = try run(row, isFlagged: true, "\(number)-with")
            let what: Comment = "\(row.flag) with \(row.others): \(with.outcome.standardError)"
            #expect(try row.look(with) == row.expected, what)
            #expect(try row.look(without) != row.expected, "without \(what)")
            // What the manifest states, other files obey.
            if row.changesTiles { #expect(try with.files() != without.files(), what) }
        }
    }

    /// The options of `build` that schedulers pass on: of these the plan needs nothing.
    @Test(arguments: plannedAlike)
    func `plan takes the options of build that change nothing in the plan`(flag: String) throws {
        try makeFiles(for: "plan")
        let row = try #require(FlagTests.rows.first { $0.command == "build" && $0.flag[0] == flag })
        // Without paths.
        let plan = ["plan", "--max-zoom", "10", "--cut-zoom", "7"] + row.others.filter { !"@%".contains($0.prefix(1)) }
        let input = Data(FlagTests.counts.utf8)
        let plain = try CommandLineProgram.run(plan, input: input)
        try #require(plain.exitCode == 0)
        let outcome = try CommandLineProgram.run(plan + row.flag, input: input)
        #expect(outcome.exitCode == 0 && outcome.standardOutput == plain.standardOutput, "\(outcome.standardError)")
    }
}

// MARK: - Files and runs

extension FlagTests {
    /// A command line with and without a flag.
    struct Row: Sendable {
        let command: String
        /// The flag, and its value if it has one.
        let flag: [String]
        /// What the command has besides in both runs.
        let others: [String]
        /// What the flag makes of `look`.
        let expected: String
        let changesTiles: Bool
        let look: @Sendable (Run) throws -> String
    }

    struct Run {
        let outcome: CommandLineProgram.Outcome
        /// The folder of the output.
        let place: String
        /// What a server said: its URL, and its answers.
        var served = ServerAnswers()

        func text(_ name: String) -> String {
            FileManager.default.contents(atPath: place + "/" + name).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }

        /// A value in a JSON file of the output, written as JSON.
        func value(_ path: String, of file: String) throws -> String {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: place + "/out/" + file))
            var value: Any? = try JSONSerialization.jsonObject(with: bytes)
            for name in path.split(separator: ".") { value = (value as? [String: Any])?[String(name)] }
            guard let value else { return "nothing" }
            let text = try JSONSerialization.data(
                withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
            return String(decoding: text, as: UTF8.self)
        }

        /// All files of the output but its manifest.
        func files() throws -> [String: Data] {
            try fileTree(at: place).filter { !$0.key.hasSuffix("manifest.json") }
        }
    }

    /// What `serve` answers.
    struct ServerAnswers {
        var url = ""
        /// Where it listens, in hexadecimal digits.
        var address = ""
        /// The page, and what a tile that doesn't exist, another name of the host and a page of another origin get.
        var page = "", missing = "", otherHost = "", otherOrigin = ""
    }

    private static let points: String = {
        let rows = """
            lat,lon,north,east,place,id,name,kind,price,n,fixed
            48.1,11.5,40.1,-3.5,"35.1,139.5",a1,Suva,shop,3.5,2,yes
            48.1,11.5,40.1,-3.5,"35.1,139.5",a2,Lima,shop,1.25,3,
            48.1,11.5,40.1,-3.5,"35.1,139.5",a3,Oslo,cafe,7,1,
            48.2,11.9,41.9,-3.1,"36.1,140.5",a4,Bonn,cafe,9,5,
            -33.4,-70.6,10.5,20.25,"-12.1,-77.0",a5,Kiel,shop,2,4,
            -33.9,-70.2,10.9,20.75,"-12.4,-77.3",a6,Ulm,bar,4,6,
            -31.1,-66.3,8.9,24.75,"-9.4,-73.3",a7,Graz,bar,4.5,6,
            52.3,4.9,44.1,-8.75,"39.4,134.3",a8,Bern,bar,5,6,

            """
        // Enough for a cluster of more than 99.
        return rows + (0..<110).map { "-41.5,146.25,9,9,\"3,4\",b\($0),Hobart,bar,\($0),1,\n" }.joined()
    }()

    /// Enough work for several threads.
    private static let many: String = {
        var random = SeededRandom(seed: 2)
        let rows = (0..<3000).map { _ in
            let (north, east) = (random.next(below: 160_000), random.next(below: 360_000))
            return "\(Double(north) / 1000 - 80),\(Double(east) / 1000 - 180)\n"
        }
        return "lat,lon\n" + rows.joined()
    }()

    private static let counts = "5/9/8 600000\n5/20/9 700000\n"

    private static let feature =
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":[11.5,48.25]},"properties":{"n":"#

    /// What the command reads.
    private func makeFiles(for command: String) throws {
        try folder.file("points.csv", FlagTests.points)
        try folder.file("bad.csv", FlagTests.points + "91,0,,,,,,,,,\n")
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let (good, bad) = (FlagTests.feature + "7}}\n", FlagTests.feature + "\(deep)}}\n")
        try folder.file("bad.ndjson", good + bad + bad)
        try folder.file("onebad.ndjson", good + bad)
        try folder.file("preamble.csv", "a,lat,lon\nname,lat,lon\nUlm,48.1,11.5\n")
        try folder.file("delimiters.csv", "lat;lon;name,lat,lon\n1;2;x,48.1,11.5\n-3;70;y,52.5,13.4\n")
        try folder.file("pairs.csv", "place,name\n\"11.5,48.1\",Ulm\n\"70.25,-3.5\",Lima\n")
        try folder.file(
            "points.ndjson",
            FlagTests.feature + #"7,"key":"k"}}"# + "\n" + FlagTests.feature + #"8,"other":1}}"# + "\n")
        try folder.file(
            "schema.json",
            #"{"columns":[{"name":"n","types":["number","string"]},{"name":"key","types":["string"]},"#
                + #"{"name":"other","types":["number"]}],"version":1}"#)
        try folder.file("leaflet.js", "typeof exports; version=\"1.9.4\"; // mine")
        try folder.file("leaflet.css", "")
        func build(_ name: String, _ words: String...) throws {
            let outcome = try CommandLineProgram.run(["build"] + words + [folder.path(name), "--quiet"])
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
        }
        try folder.file("many.csv", FlagTests.many)
        let zooms = ["--max-zoom", "4"]
        switch command {
        case "join":
            let part = ["--part", "0/0/0", "--cut-zoom", "1", "--schema", folder.path("schema.json")]
            let words = ["build", folder.path("points.ndjson"), folder.path("part")] + part + zooms + ["--quiet"]
            try #require(try CommandLineProgram.run(words).exitCode == 0)
            let many = (0..<2000).map { index in
                let place = "\(index * 377 % 3400 - 1700)e-1,\(index * 113 % 1600 - 800)e-1"
                return #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#(place)]},"properties":{"n":1}}"#
            }
            try folder.file("many.ndjson", many.joined(separator: "\n"))
            for name in ["bad", "onebad", "many"] {
                let others = ["build", folder.path(name + ".ndjson"), folder.path(name + "part")] + words.dropFirst(3)
                try #require(try CommandLineProgram.run(others).exitCode == 0)
            }
        case "verify":
            try build("set", folder.path("points.csv"), "--max-zoom", "4")
            try build("many", folder.path("many.csv"), "--max-zoom", "6")
            try build(
                "typed", folder.path("points.ndjson"), "--max-zoom", "4", "--schema", folder.path("schema.json"))
        case "show", "diff", "publish", "serve":
            try build("set", folder.path("points.csv"), "--max-zoom", "4", "--base-url", "https://example.org/a")
            try build("other", folder.path("points.csv"), "--max-zoom", "3", "--base-url", "https://example.org/b")
            let publish = ["publish", folder.path("set"), folder.path("published")]
            try #require(try CommandLineProgram.run(publish).exitCode == 0)
            let versions = ["publish", folder.path("other"), folder.path("versions"), "--versioned"]
            try #require(try CommandLineProgram.run(versions).exitCode == 0)
        default: break
        }
        let opener = try folder.file("bin/xdg-open", "#!/bin/sh\necho \"$1\" >\"$OPENED\"\n")
        // A bucket in a folder.
        let aws = try folder.file(
            "bin/aws",
            #"""
            #!/bin/sh
            echo "$*" >>"$AWS_LOG"
            bucket=$(dirname "$AWS_LOG")/bucket
            case "$*" in *held*) [ -e "$bucket-.publishing" ] ||
                echo '{"format_version":6,"done_count":0,"owner":{"host":"a","process":7,"since":"2999-01-01T00:00:00Z","token":"b"}}' >"$bucket-.publishing"
            esac
            for last; do :; done
            case "$*" in *--recursive*)
                while [ "$1" != cp ]; do shift; done
                cd "$2" && find . -type f | sed "s,^\./,upload: x to s3://bucket/a/,"
                exit
            esac
            while [ $# -gt 0 ]; do
                case "$1" in
                get-object | put-object | list-objects-v2) operation=$1 ;;
                --key) file=$bucket-${2##*/} ;;
                --body) body=$2 ;;
                esac
                shift
            done
            case "$operation" in
            put-object) cp "$body" "$file"; echo '{"ETag":"tag"}' ;;
            get-object) [ -e "$file" ] || exit 254; cp "$file" "$last"; echo '{"ETag":"tag"}' ;;
            list-objects-v2) echo None ;;
            esac
            """#)
        for path in [opener, aws] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
    }

    /// Runs a row's command. `@` stands for the folder of what it reads, `%` for that of what it writes.
    private func run(_ row: Row, isFlagged: Bool, _ name: String) throws -> Run {
        let place = folder.path(name)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        var paths: [String] =
            switch row.command {
            case "build": row.others.contains { $0.hasPrefix("@") } ? [] : ["@points.csv", "%out"]
            case "join": row.others.contains { $0.hasPrefix("@") } ? [] : ["@part", "%out"]
            case "verify": row.others.contains { $0.hasPrefix("@") } ? [] : ["@set"]
            case "show": ["@set"]
            case "diff": ["@set", "@other"]
            case "publish": row.others.contains { $0.hasPrefix("@") } ? [] : ["@set", "%out"]
            case "schema": row.others.contains { $0.hasPrefix("@") } ? [] : ["@points.ndjson"]
            case "serve": ["@set", "--port", "0"]
            default: []
            }
        if row.command == "build", !row.flag.contains("--max-zoom"), !row.others.contains("--max-zoom") {
            paths += ["--max-zoom", "4"]
        }
        if row.others.contains("%out/mine.txt") { try folder.file(name + "/out/mine.txt", "precious") }
        let words = (paths + row.others + (isFlagged ? row.flag : [])).filter { $0 != "%out/mine.txt" }.map { word in
            word.hasPrefix("@")
                ? folder.path(String(word.dropFirst()))
                : word.hasPrefix("%") ? place + "/" + word.dropFirst() : word
        }
        var environment = ["AWS_LOG": place + "/aws.log", "OPENED": place + "/opened"]
        environment["PATH"] = folder.path("bin") + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
        if let call = row.others.first(where: { $0.hasPrefix("count:") })?.dropFirst(6) {
            environment.merge(
                FaultLibrary.environment("NONE", at: 0, of: String(call), logPath: place + "/calls")
            ) { $1 }
        }
        let command = [row.command] + words.filter { !$0.hasPrefix("count:") }
        guard row.command == "serve", !(isFlagged && ["--help", "--version"].contains(row.flag[0])) else {
            let outcome = try CommandLineProgram.run(
                command, input: Data(FlagTests.counts.utf8), environment: environment)
            return Run(outcome: outcome, place: place)
        }
        var answers = ServerAnswers()
        let outcome = try CommandLineProgram.run(
            command, outputPath: try folder.file(name + "/url", ""), environment: environment
        ) { process in
            defer { process.terminate() }
            answers = try ask(urlPath: place + "/url", process)
            // The browser is opened beside.
            if row.flag == ["--open"], isFlagged {
                poll { FileManager.default.contents(atPath: place + "/opened")?.last == UInt8(ascii: "\n") }
            }
        }
        return Run(outcome: outcome, place: place, served: answers)
    }

    /// Asks a server that writes its URL into a file.
    private func ask(urlPath: String, _ process: Process) throws -> ServerAnswers {
        func url() throws -> String { try String(contentsOfFile: urlPath, encoding: .utf8) }
        try poll { try url().hasSuffix("/\n") || !process.isRunning }
        var answers = ServerAnswers(url: try url())
        let port = try #require(answers.url.split(separator: ":").last.flatMap { UInt16($0.dropLast(2)) })
        func answer(_ path: String, _ fields: String...) throws -> String {
            let client = try RawClient(port: port)
            let lines = ["GET \(path) HTTP/1.1"] + fields + ["Connection: close", "", ""]
            _ = client.send(Array(lines.joined(separator: "\r\n").utf8))
            return String(decoding: try client.receiveAll(), as: UTF8.self)
        }
        let end = String(format: ":%04X", port)
        // "0: 0100007F:1F90 00000000:0000 0A ...": the state 0A is that of a socket that listens.
        for line in try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n") {
            let columns = line.split(separator: " ")
            if columns[1].hasSuffix(end), columns[3] == "0A" { answers.address = String(columns[1].dropLast(5)) }
        }
        answers.page = try answer("/", "Host: localhost")
        answers.missing = try answer("/tiles/4/0/0.json", "Host: localhost")
        answers.otherHost = try answer("/tilejson.json", "Host: my-mac.local")
        answers.otherOrigin = try answer("/tilejson.json", "Host: localhost", "Origin: https://example.org")
        return answers
    }
}

// MARK: - The rows

extension FlagTests {
    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// A flag of `build` whose value the manifest states, and tiles obey.
    private static func stated(_ flag: String, _ path: String, _ value: String, with others: String = "") -> Row {
        Row(command: "build", flag: words(flag), others: words(others), expected: value, changesTiles: true) {
            try $0.value(path, of: "manifest.json")
        }
    }

    /// A flag of `build` whose value the TileJSON states.
    private static func described(_ flag: String, _ path: String, _ value: String) -> Row {
        Row(command: "build", flag: words(flag), others: [], expected: value, changesTiles: true) {
            try $0.value(path, of: "tilejson.json")
        }
    }

    private static func row(
        _ command: String, _ flag: String, _ expected: String = "true", with others: String = "",
        _ look: @escaping @Sendable (Run) throws -> Bool
    ) -> Row {
        Row(command: command, flag: words(flag), others: words(others), expected: expected, changesTiles: false) {
            "\(try look($0))"
        }
    }

    /// The exit code that a flag brings.
    private static func code(_ command: String, _ flag: String, _ code: Int32, with others: String = "") -> Row {
        Row(command: command, flag: words(flag), others: words(others), expected: "\(code)", changesTiles: false) {
            "\($0.outcome.exitCode)"
        }
    }

    /// Flags that all or several commands have.
    private static func common(_ command: String) -> [Row] {
        var rows = [
            row(command, "--help") { $0.outcome.standardOutput.contains("USAGE: pyramid \(command)") },
            row(command, "--version") { $0.outcome.standardOutput.split(separator: ".").count == 3 },
        ]
        if ["build", "join", "verify", "diff", "publish"].contains(command) {
            rows.append(row(command, "--quiet") { $0.outcome.standardError.isEmpty })
        }
        if ["build", "join", "verify", "diff", "publish", "show"].contains(command) {
            rows.append(row(command, "--json") { $0.outcome.standardOutput.hasPrefix("{") })
        }
        if ["build", "join", "publish"].contains(command) {
            rows += [
                row(command, "--no-sync", with: "count:fsync") { $0.text("calls").isEmpty },
                row(command, "--sync", with: "--no-sync count:fsync") { !$0.text("calls").isEmpty },
            ]
        }
        let large = ["build": "@many.csv %out --max-zoom 6 ", "join": "@manypart %out ", "verify": "@many "]
        if ["build", "join", "verify"].contains(command) {
            // With one job there is one thread more, which waits for signals.
            rows.append(
                row(command, "--jobs 6", with: "\(large[command] ?? "")--jobs 1 count:pthread_create") {
                    $0.text("calls").split(separator: "\n").count > 1
                })
        }
        if ["build", "join"].contains(command) {
            rows += [
                code(command, "--memory-limit 12k", 71), code(command, "--output there", 64),
                code(command, "--force", 0, with: "%out/mine.txt"),
                row(command, "--preview") { $0.text("out/index.html").contains("<html") },
                row(command, "--leaflet @leaflet.js", with: "--preview") {
                    $0.text("out/index.html").contains("// mine")
                },
                row(command, "--basemap https://tile.openstreetmap.org/{z}/{x}/{y}.png", with: "--preview") {
                    $0.text("out/index.html").contains("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
                },
                row(
                    command, "--basemap-attribution Cartographers",
                    with: "--preview --basemap https://tile.openstreetmap.org/{z}/{x}/{y}.png"
                ) { $0.text("out/index.html").contains("Cartographers") },
            ]
        }
        return rows
    }

    static let rows: [Row] =
        ["build", "join", "plan", "schema", "verify", "show", "diff", "publish", "serve"].flatMap(common) + buildRows
        + planRows + otherRows + serveRows

    private static let part = "@points.ndjson %out --max-zoom 4"

    private static let buildRows: [Row] = [
        stated("--longitude-column east", "content.columns.longitude_column", #""east""#),
        stated("--latitude-column north", "content.columns.latitude_column", #""north""#),
        stated("--point-column place", "content.columns.point_column", #""place""#),
        stated(
            "--point-column place:lon-lat", "content.columns.point_order", #""lon-lat""#,
            with: "@pairs.csv %out --point-column place"),
        stated("--delimiter ;", "content.columns.delimiter", #"";""#, with: "@delimiters.csv %out"),
        stated("--skip-lines 1", "content.columns.skip_lines", "1", with: "@preamble.csv %out"),
        stated("--id-column id", "content.columns.id_column", #""id""#),
        stated("--include name,kind", "content.properties", #"["name","kind"]"#),
        stated(
            "--exclude name,kind", "content.properties", #"["north","east","place","id","price","n","fixed"]"#),
        stated("--types price:string", "content.columns.types", #"[{"column":"price","type":"string"}]"#),
        stated("--max-zoom 3", "options.max_zoom", "3", with: "--max-zoom 4"),
        stated("--min-zoom 1", "options.min_zoom", "1"),
        stated("--cluster-maxzoom 1", "options.cluster_max_zoom", "1"),
        stated("--cluster-distance 200", "options.cluster_distance", #""200""#),
        stated("--position centroid", "options.position", #""centroid""#),
        stated("--tile-size 512", "options.tile_size", "512"),
        stated("--min-points 4", "options.min_points", "4"),
        stated("--coincident-limit 2", "options.coincident_limit", "2"),
        stated("--priority price", "options.priority_column", #""price""#),
        stated("--weight n", "options.weight_column", #""n""#),
        stated("--group-by kind", "options.group_column", #""kind""#),
        stated("--unclustered fixed", "options.unclustered.column", #""fixed""#),
        stated("--mode filter", "options.mode", #""filter""#),
        stated(
            "--accumulate-attribute price:sum", "content.clusters.accumulate",
            #"[{"name":"price","operation":"sum"}]"#),
        stated("--count-by kind:2", "content.clusters.count_by", #"[{"limit":2,"name":"kind"}]"#),
        stated("--filter-by kind", "content.clusters.filter_by", #"[{"name":"kind"}]"#),
        stated(
            "--date-format DD.MM.YYYY", "content.clusters.filter_by",
            #"[{"dates":{"notation":"DD.MM.YYYY","unit":"year"},"name":"kind"}]"#, with: "--filter-by kind:year"),
        stated("--cluster-properties name", "content.clusters.properties", #"["name"]"#),
        stated("--members 5", "content.clusters.member_limit", "5", with: "--id-column id"),
        stated(
            "--member-properties name", "content.clusters.member_properties", #"["name"]"#,
            with: "--members 5 --id-column id"),
        stated("--count-label 99+", "content.clusters.count_label", #""99+""#),
        stated("--format mvt", "content.storage.format", #""mvt""#),
        stated("--layer shops", "content.storage.layer", #""shops""#, with: "--format mvt"),
        stated("--tile-suffix .geojson", "content.storage.suffix", #"".geojson""#),
        stated("--bundle 9", "content.storage.layout", #"{"bundles":9}"#),
        stated("--compression none", "content.storage.compression", #""none""#),
        stated("--compression-level 1", "content.compression_level", "1"),
        described("--name Shops", "name", #""Shops""#),
        described("--description Words", "description", #""Words""#),
        described("--attribution Us", "attribution", #""Us""#),
        described("--base-url https://example.org/t", "tiles", #"["https://example.org/t/tiles/{z}/{x}/{y}.json"]"#),
        code("build", "--strict", 65, with: "@bad.csv %out"),
        code("build", "--max-skipped 0", 65, with: "@bad.csv %out"),
        // Numbers become text, because the schema knows other rows that have text.
        row("build", "--schema @schema.json", with: part) {
            try $0.value("vector_layers", of: "tilejson.json").contains(#""n":"String""#)
        },
        row("build", "--part 0/0/0", with: part + " --cut-zoom 1 --schema @schema.json") {
            $0.text("out").hasPrefix("PYRPART1")
        },
        row("build", "--cut-zoom 1", with: part + " --part 0/0/0 --schema @schema.json") {
            $0.text("out").hasPrefix("PYRPART1")
        },
        row("build", "--part-limits 3,2,1", with: "count:unlink") { $0.text("calls").contains("/pyramid-spool-") },
    ]

    /// A flag of `plan` that changes what it prints.
    private static func planned(_ flag: String, _ expected: String, with others: String = "--cut-zoom 7") -> Row {
        row("plan", flag, with: "--max-zoom 10 " + others) { $0.outcome.standardOutput.contains(expected) }
    }

    private static let planRows: [Row] = [
        row("plan", "--max-zoom 8", with: "--max-zoom 10") { $0.outcome.standardOutput.contains("\"cut_zoom\" : 6") },
        planned("--occupied-tiles 10:300000", "\"cut_zoom\" : 8", with: "--join-markers 300000"),
        planned("--join-markers 10000000", "\"cut_zoom\" : 8", with: ""),
        planned("--cut-zoom 7", "\"parts\"", with: ""),
        planned("--rows-per-part 800000", "\"rows\" : 700000,"),
        // The halo's size, the memory of a part, and what can't be planned.
        planned("--cluster-distance 90", "\"halo_units\" : 243269632"),
        planned("--tile-size 512", "\"halo_units\" : 58720256"),
        planned("--format mvt", "\"halo_units\" : 58720256"),
        planned("--cluster-maxzoom 8", "\"halo_units\" : 100663296"),
        planned("--position centroid", "\"halo_units\" : 125829120"),
        planned("--accumulate-attribute n:sum", "\"memory_bytes\" : 220200000"),
        planned("--count-by kind", "\"memory_bytes\" : 220200000"),
        planned("--filter-by kind", "\"memory_bytes\" : 298200000"),
        planned("--members 5", "\"memory_bytes\" : 220200000", with: "--cut-zoom 7 --id-column id"),
        planned("--priority price", "\"memory_bytes\" : 220200000"),
        planned("--weight n", "\"memory_bytes\" : 220200000"),
        code("plan", "--min-zoom 8", 64, with: "--max-zoom 10 --cut-zoom 7"),
        code("plan", "--types n:number", 64, with: "--max-zoom 10 --cut-zoom 7"),
        code("plan", "--delimiter ;", 64, with: "--max-zoom 10 --cut-zoom 7"),
        code("plan", "--skip-lines 1", 64, with: "--max-zoom 10 --cut-zoom 7"),
    ]

    /// The options of `build` that don't change a plan.
    static let plannedAlike = words(
        """
        --longitude-column --latitude-column --point-column --id-column --include --exclude --max-skipped --strict \
        --preview \
        --min-points --coincident-limit --group-by --unclustered --mode --cluster-properties --member-properties \
        --count-label --date-format --name --description --attribution --base-url --layer --tile-suffix \
        --bundle --compression --compression-level
        """)

    private static let otherRows: [Row] = [
        // A row without an id is skipped, with its columns.
        row("schema", "--id-column key") { !$0.outcome.standardOutput.contains(#""other""#) },
        code("schema", "--max-skipped 2", 0, with: "@bad.ndjson"),
        code("schema", "--strict", 65, with: "@onebad.ndjson"),
        code("join", "--max-skipped 67%", 0, with: "@badpart %out"),
        code("join", "--strict", 65, with: "@onebadpart %out"),
        code("verify", "--schema @schema.json", 0, with: "@typed @points.ndjson"),
        row("verify", "--all", with: "@many @points.csv") {
            $0.outcome.standardOutput.split(separator: "\n").count > 11
        },
        row("verify", "--memory-limit 1k", with: "count:unlink") { $0.text("calls").contains("/pyramid-spool-") },
        row("diff", "--urls") { $0.outcome.standardOutput.contains("https://example.org/b/tiles/4/") },
        row("diff", "--base-url https://example.net/c", with: "--urls") {
            $0.outcome.standardOutput.contains("https://example.net/c/tiles/4/")
        },
        row("publish", "--dry-run") { !FileManager.default.fileExists(atPath: $0.place + "/out/manifest.json") },
        row("publish", "--base-url https://example.net/c", with: "@set @published --all --dry-run --json") {
            $0.outcome.standardOutput.contains("https://example.net/c/")
        },
        code("publish", "--force", 0, with: "%out/mine.txt"),
        row("publish", "--all", with: "@set @published") { $0.outcome.standardError.contains("files uploaded") },
        row("publish", "--check", with: "@set s3://bucket/a") {
            $0.text("aws.log").contains("list-objects-v2 --bucket bucket --output json --prefix a/ ")
        },
        row("publish", "--versioned") { $0.text("out/tilejson.json").contains("\"versions\"") },
        row("publish", "--keep 0", with: "@set @versions --versioned") {
            $0.outcome.standardError.contains(/[1-9][0-9]* files removed/)
        },
        code("publish", "--take-over", 0, with: "@set s3://held/a"),
        row("publish", "--endpoint-url http://localhost:9", with: "@set s3://bucket/a") {
            $0.text("aws.log").contains("--endpoint-url http://localhost:9 ")
        },
        row("publish", "--cache-control no-store", with: "@set s3://bucket/a") {
            $0.text("aws.log").contains("application/geo+json --cache-control no-store")
        },
        row("publish", "--metadata-cache-control no-store", with: "@set s3://bucket/a") {
            $0.text("aws.log").contains("application/json --cache-control no-store")
        },
    ]

    private static let serveRows: [Row] = [
        row("serve", "--port \(freePort)") { $0.served.url.hasSuffix(":\(freePort)/\n") },
        row("serve", "--host 0.0.0.0") { $0.served.address == "00000000" },
        row("serve", "--allow-host my-mac.local") { $0.served.otherHost.hasPrefix("HTTP/1.1 200") },
        row("serve", "--cors https://example.org") {
            $0.served.otherOrigin.contains("\r\nAccess-Control-Allow-Origin: https://example.org\r\n")
        },
        row("serve", "--missing 404") { $0.served.missing.hasPrefix("HTTP/1.1 404") },
        row("serve", "--open") { $0.text("opened") == $0.served.url },
        row("serve", "--leaflet @leaflet.js") { $0.served.page.contains("// mine") },
        row("serve", "--basemap https://tile.openstreetmap.org/{z}/{x}/{y}.png") {
            $0.served.page.contains("https://tile.openstreetmap.org/{z}/{x}/{y}.png")
        },
        row(
            "serve", "--basemap-attribution Cartographers",
            with: "--basemap https://tile.openstreetmap.org/{z}/{x}/{y}.png"
        ) { $0.served.page.contains("Cartographers") },
    ]

    /// A port at which nobody listened a moment ago.
    private static let freePort: UInt16 = {
        #if canImport(Glibc)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = bind(descriptor, address, size)
                getsockname(descriptor, address, &size)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }()
}
