import Foundation
import PyramidStore
import PyramidTiles
import TestSupport
import Testing

@Suite(.tags(.slow)) struct BuildCommandTests {
    private static let cities = """
        name,lat,lon,cluster
        Suva,-18.1416,178.4419,a
        "Nuku'alofa, Tonga",-21.1394,-175.2018,b
        Reykjavík,64.1466,-21.9426,a
        Ushuaia,-54.8019,-68.3030,c

        """
    private static let withABadRow = cities + "Nowhere,91.3,12.5,d\n"

    private let folder: TemporaryFolder
    private let input: String
    private var out: String { folder.path("out") }
    private var tileset: DirectoryTileset { DirectoryTileset(path: out) }

    init() throws {
        folder = try TemporaryFolder()
        input = try folder.file("cities.csv", BuildCommandTests.cities)
    }

    private func build(_ options: String..., of input: String? = nil) throws -> CommandLineProgram.Outcome {
        let zoom = options.contains("--max-zoom") ? [] : ["--max-zoom", "3"]
        return try CommandLineProgram.run(["build", input ?? self.input, out] + zoom + options)
    }

    private func expectSound() throws { #expect(try CommandLineProgram.run(["verify", out]).exitCode == 0) }

    @Test func `a build ends with a summary on standard error and nothing on standard output`() throws {
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try build(of: input)
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("5 read, 4 accepted, 1 skipped"))
        #expect(outcome.standardError.contains("cities.csv:6: latitude is \"91.3\", expected degrees from -90 to 90"))
        #expect(outcome.standardError.contains("\"cluster\" is written as \"cluster_\""))
        #expect(outcome.standardError.contains("peak memory"))
        try expectSound()
    }

    @Test func `the summary states the bounds, and options that differ from those of the last build`() throws {
        func lines(_ options: String...) throws -> [String] {
            let arguments = ["build", input, out, "--max-zoom", "3"] + options
            let outcome = try CommandLineProgram.run(arguments)
            #expect(outcome.exitCode == 0, "\(outcome.standardError)")
            return outcome.standardError.split(separator: "\n").map(String.init)
        }
        let first = try lines("--bundle", "20", "--count-by", "cluster")
        #expect(
            first.contains("bounds    -175.2018, -54.8019, 178.4419, 64.1466 (west, south, east, north)"), "\(first)")
        #expect(!first.contains { $0.hasPrefix("options ") })
        #expect(try !lines("--bundle", "20", "--count-by", "cluster").contains { $0.hasPrefix("options ") })
        let other = try lines("--cluster-distance", "60", "--count-by", "name:3")
        let options = try #require(other.first { $0.hasPrefix("options   not those of the last build: ") })
        for part in [
            #"cluster_distance is "60", was "40""#, "layout is \"files\", was { \"bundles\" : 20 }",
            "count_by[0].limit is 3, was 10", "count_by[0].name is \"name\", was \"cluster_\"",
        ] { #expect(options.contains(part), "\(options)") }
        #expect(!options.contains("propert") && !options.contains("compressor"), "\(options)")
        #expect(
            try !lines("--cluster-distance", "60", "--count-by", "name:3", "--max-zoom", "auto").contains {
                $0.hasPrefix("options ")
            })
        let chosen = try tileset.manifest().options.maxZoom
        #expect(chosen > 3)
        let given = try lines("--cluster-distance", "60", "--count-by", "name:3")
        #expect(given.contains("options   not those of the last build: max_zoom is 3, was \(chosen)"), "\(given)")
        let clustered = try lines("--cluster-distance", "60", "--count-by", "name:3", "--cluster-maxzoom", "1")
        #expect(
            clustered.contains("options   not those of the last build: cluster_max_zoom is 1, was 2"), "\(clustered)")
        try expectSound()
    }

    @Test func `quiet prints nothing and json prints the figures on standard output`() throws {
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try build("--quiet", "--json", of: input)
        #expect(outcome.exitCode == 0)
        let json = try outcome.json()
        let rows = try #require(json["input"] as? [String: Any])
        #expect(rows["rows_read"] as? Int == 5 && rows["rows_accepted"] as? Int == 4)
        let before = try Set(tileset.tileEntries().map(\.address))
        #expect(json["tiles"] as? [String: Int] == ["written": before.count, "unchanged": 0, "removed": 0])
        let lower = try build("--quiet", "--json", "--max-zoom", "2", of: input).json()
        let tiles = try #require(lower["tiles"] as? [String: Int])
        let after = try Set(tileset.tileEntries().map(\.address))
        #expect(tiles["removed"] == before.subtracting(after).count && tiles["unchanged"] ?? 0 > 0)
        #expect((tiles["unchanged"] ?? 0) + (tiles["written"] ?? 0) == after.count)
    }

    @Test func `the summary says what the columns became, and how many more there are`() throws {
        let input = try folder.file(
            "a.csv", "id,lat,lon,price,sea view,open,note,zip\n7,1,2,880.0,x,True,,7030\n8,3,4,12.50,,false,,n/a\n")
        let outcome = try build("--id-column", "id", "--json", "--types", "zip:number", of: input)
        #expect(
            outcome.standardError.split(separator: "\n").contains(
                "columns   id number (id), price number, \"sea view\" string, open boolean, note empty, zip number"))
        let warning = "1 value of \"zip\" is not a number and is left out, in \(input):3: \"n/a\""
        #expect(outcome.standardError.contains("warning: \(warning)\n"))
        let json = try outcome.json()
        let columns = try #require(json["columns"] as? [[String: Any]])
        #expect(columns.map { $0["type"] as? String } == ["number", "number", "string", "boolean", "empty", "number"])
        #expect(columns.map { $0["is_id"] as? Bool } == [true, false, false, false, false, false])
        #expect(json["warnings"] as? [String] == [warning])

        let names = (1...15).map { "c\($0)" }
        let wide = try folder.file(
            "b.csv", "lat,lon," + names.joined(separator: ",") + "\n1,2," + names.joined(separator: ",") + "\n")
        let other = try build(of: wide)
        #expect(other.standardError.contains(", c11 string, c12 string and 3 more\n"))
        #expect(!other.standardError.contains("c13"))
        // "and 1 more" would be as long as its name.
        let thirteen = names.prefix(13).joined(separator: ",")
        let almost = try folder.file("c.csv", "lat,lon,\(thirteen)\n1,2,\(thirteen)\n")
        let all = try build(of: almost)
        #expect(all.standardError.contains(", c12 string, c13 string\n"))
    }

    @Test func `GeoJSON of standard input and files of CSV make one pyramid`() throws {
        let first = try folder.file("a.csv", BuildCommandTests.cities)
        let second = try folder.file("b.csv", "name,lat,lon\nLima,-12.0464,-77.0428\n")
        let piped = """
            {"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[12.5,41.9,20]},
            "properties":{"name":"Roma","tags":["a",{"b":null}]}},
            {"type":"Feature","geometry":null,"properties":{}}],"type":"FeatureCollection"}
            """
        let arguments = [first, "-", second, out, "--max-zoom", "3"]
        let outcome = try CommandLineProgram.run(["build"] + arguments, input: Data(piped.utf8))
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("7 read, 6 accepted, 1 skipped"))
        #expect(outcome.standardError.contains("standard input:3: feature 2: geometry is missing, expected a Point"))
        #expect(try tileset.manifest().content.properties == ["cluster_", "name", "tags"])
        try expectSound()
    }

    @Test func `strict refuses any bad row`() throws {
        let outcome = try build("--strict", of: try folder.file("bad.csv", BuildCommandTests.withABadRow))
        #expect(outcome.exitCode == 65 && outcome.standardError.contains("expected none (--strict); "))
        #expect(outcome.standardError.contains("bad.csv:6: latitude is \"91.3\""))
        #expect(
            outcome.standardError.hasSuffix("; to build without these rows, use --max-skipped 1 instead of --strict\n"))
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func `too many bad rows leave the output as it was, and the message names the option that allows them`()
        throws
    {
        let shops = "name,lat,lon\n" + (0..<93).map { "s\($0),\($0 % 80).5,\($0)\n" }.joined()
        let good = try folder.file("good.csv", shops)
        // As a file that is not UTF-8.
        var bytes = Data(shops.utf8)
        for row in 0..<200 { bytes += Data("S".utf8) + [0xfc] + Data("d,\(row % 80),7\n".utf8) }
        let bad = try folder.file("bad.csv", bytes)
        let build = ["build", bad, out, "--max-zoom", "3", "--quiet"]
        #expect(try self.build(of: good).exitCode == 0)
        let before = try fileTree(at: out)
        let outcome = try CommandLineProgram.run(build)
        #expect(outcome.exitCode == 65)
        #expect(try fileTree(at: out) == before)
        let lines = outcome.standardError.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        let line = try #require(lines.first)
        #expect(lines.count == 1)
        #expect(
            line.hasPrefix(
                "error: \(bad): skipped 200 of 293 rows, 69% (invalid UTF-8: 200), expected at most 10% or 1 row; "))
        #expect(line.contains("; \(bad):95: row is not valid UTF-8; ") && line.contains("iconv -f windows-1252"))
        #expect(line.hasSuffix("; to build without these rows, use --max-skipped 69%"))
        #expect(try CommandLineProgram.run(build + ["--max-skipped", "68%"]).exitCode == 65)
        #expect(try CommandLineProgram.run(build + ["--max-skipped", "199"]).exitCode == 65)
        #expect(try CommandLineProgram.run(build + ["--max-skipped", "69%"]).exitCode == 0)
        // It is no fault of the tileset that its builder allowed them.
        let verification = try CommandLineProgram.run(["verify", out, bad])
        #expect(verification.exitCode == 0, "\(verification.standardError)")
    }

    @Test func `a column whose name ends like an order can be named`() throws {
        func bounds(_ header: String, _ column: String) throws -> [Double] {
            let input = try folder.file("pairs.csv", header + "\n\"48.1,11.5\",\"47.5,12.25\"\n")
            let outcome = try build("--point-column", column, of: input)
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
            #expect(try CommandLineProgram.run(["verify", out, input]).exitCode == 0)
            return try Array(tileset.tileJSON().bounds.prefix(2))
        }
        #expect(try bounds("a,b", "a") == [11.5, 48.1])
        #expect(try bounds("a,b", "a:lat-lon") == [11.5, 48.1])
        #expect(try bounds("a,b", "a:lon-lat") == [48.1, 11.5])
        #expect(try bounds("a:lon-lat,b", "a:lon-lat:lat-lon") == [11.5, 48.1])
        #expect(try bounds("b,a:lon-lat", "a:lon-lat:lat-lon") == [12.25, 47.5])
        #expect(try bounds("a,a:lon-lat", "a:lon-lat") == [48.1, 11.5])
        #expect(try bounds("a,a:lon-lat", "a:lon-lat:lon-lat") == [47.5, 12.25])
        #expect(try bounds("a,:lon-lat", ":lon-lat") == [12.25, 47.5])
        let outcome = try build("--point-column", "c:lon-lat", of: folder.path("pairs.csv"))
        #expect(
            outcome.standardError.contains("no column \"c\" for --point-column, expected one of \"a\", \":lon-lat\""))
    }

    /// Exit codes, command lines and reasons.
    private static let badUses = """
        64 build => Missing expected argument '<path> ...'
        64 build in.csv => expected at least one input and the output, found only "in.csv"
        64 build - - out => standard input (-) is given 2 times, expected once
        64 build - out --max-zoom 24 => --max-zoom is 24, expected 0 to 23
        64 build - out --min-zoom 9 --max-zoom 8 => --min-zoom is 9, expected 0 to 8, the max zoom
        64 build - out --cluster-distance 0 => --cluster-distance is 0, expected 1 to 256 pixels
        64 build - out --min-points 1 => --min-points is 1, expected 2 or more
        64 build - out --position nearest => The value 'nearest' is invalid for '--position <position>'. Please provide one of
        64 build - out --jobs 0 => --jobs is 0, expected 1 or more
        64 build - out --max-zoom 14 --cluster-maxzoom 14 => --cluster-maxzoom is 14, expected -1 to 13, one less
        64 build - out --cluster-maxzoom 23 => --cluster-maxzoom is 23, expected -1 to 22, one less than the max zoom
        64 build - out --min-zoom 24 => --min-zoom is 24, expected 0 to 23, the max zoom
        64 build - out --cluster-maxzoom -2 => --cluster-maxzoom is -2, expected -1 to 19, one less than the max zoom
        64 build - out --cluster-maxzoom --strict => The value '--strict' is invalid for '--cluster-maxzoom <zoom>'
        64 build - out --memory-limit => Missing value for '--memory-limit <size>'
        64 build - out --memory-limit lots => The value 'lots' is invalid for '--memory-limit <size>'
        64 build - out --memory-limit 0 => The value '0' is invalid for '--memory-limit <size>'
        64 build - out --nonsense => Unknown option '--nonsense'
        64 build - out --radius 40 => Unknown option '--radius'. Did you mean '--cluster-distance'?
        64 build - out --cluster-radius=40 => Unknown option '--cluster-radius'. Did you mean '--cluster-distance'?
        64 build - - => the output is -, but a tileset can't be standard output; name a directory, or an archive ending in .pmtiles
        64 build - out.mbtiles => the output is out.mbtiles, but MBTiles are not written; name an archive ending in .pmtiles, which
        64 build - out --accumulate-attribute name => found "name", expected column:operation or
        64 build - out --accumulate-attribute name:median => found "name:median", expected column:operation or
        64 build - out --accumulate-attribute name:count --count-by name => two options add a property "name" to
        64 build - out --accumulate-attribute name:count: => found "name:count:", expected column:operation or
        64 build - out --accumulate-attribute name:count:cluster_id => every cluster already has
        64 build - out --layer points2 => --layer needs --format mvt
        64 build - out --format mvt --layer= => Missing value for '--layer <name>'
        64 build - out --types name => found "name", expected column:type with one of string, number, boolean
        64 build - out --types name:text => found "name:text", expected column:type with one of string, number, boolean
        64 build - out --count-by name:0 => found "name:0", expected column or column:limit with a limit from 1 to 1000
        64 build - out --skip-lines=-1 => --skip-lines is -1, expected 0 or more
        64 build - out --skip-lines two => The value 'two' is invalid for '--skip-lines <n>'
        64 build - out --max-skipped 5,5% => found "5,5%", expected a number of rows, such as 20, or a share, such as 5%
        64 schema - --max-skipped 101% => found "101%", expected a number of rows, such as 20, or a share, such as 5%
        64 build - out --max-skipped 5 --strict => --max-skipped can't be used with --strict, which allows no
        64 join a out --max-skipped 5 --strict => --max-skipped can't be used with --strict, which allows no
        64 build - out --members 3 => --members needs --id-column, or --member-properties to list other columns
        64 build - out --member-properties name => --member-properties needs --members
        64 build - out --mode filter --count-by name => --mode filter writes no clusters and can't be used with options
        64 build - out --cluster-distance 0-3:40 => The value '0-3:40' is invalid for '--cluster-distance <pixels>'
        66 build missing.csv out => missing.csv: can't be opened (No such file or directory), expected a readable file
        66 build - kind open => kind: no such input; open, the last path, is the output. Separate the values of an option
        64 version => no command "version", expected one of build, verify, show, serve, diff, publish, schema, plan, join, help; did you mean --version?
        64 verify => Missing expected argument '<tileset>'
        64 show out 1/2/3 => found "1/2/3", expected a column and a row from 0 to 1 at zoom 1
        64 show out 99/1/1 => found "99/1/1", expected a zoom from 0 to 30
        64 show out 3/4 => found "3/4", expected a zoom, a column and a row, such as 3/4/2
        66 show missing => missing: no such directory or archive
        64 nonsense => no command "nonsense", expected one of build, verify,
        64 build - out --tile-suffix /../x => "/../x"
        64 build - out --tile-suffix .json.gz --compression none => .gz
        64 build - out --base-url cdn.example.org => "cdn.example.org"
        65 build - out => is empty, expected a header and rows
        """.split(separator: "\n").map(String.init)

    @Test func `an input in the output is refused, under any path`() throws {
        _ = try build()
        let before = try fileTree(at: out)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: out)
        for input in ["out/files.tsv", "link/files.tsv", "out/tiles/0/0/0.json", "out/../link/manifest.json"] {
            let outcome = try build("--force", of: folder.path(input))
            #expect(outcome.exitCode == 73, "\(input)")
            #expect(outcome.standardError.contains("out: would hold or replace the input "), "\(outcome.standardError)")
        }
        #expect(try fileTree(at: out) == before)
        let archive = try folder.file("a.pmtiles", "lat,lon\n1,2\n")
        let outcome = try CommandLineProgram.run(["build", archive, archive, "--force"])
        #expect(outcome.exitCode == 73 && outcome.standardError.contains("would hold or replace the input"))
        #expect(try String(contentsOfFile: archive, encoding: .utf8) == "lat,lon\n1,2\n")
    }

    @Test func `paths in the wrong order are recognised`() throws {
        _ = try build()
        let input = try folder.file("s.csv", "lat,lon\n1,2\n")
        let built = try CommandLineProgram.run(["build", out, input])
        #expect(built.exitCode == 73)
        #expect(built.standardError.contains("s.csv: is a file; the inputs come first, and last the output"))
        let verified = try CommandLineProgram.run(["verify", input, out])
        #expect(verified.exitCode == 64)
        #expect(verified.standardError.contains("out is one; the tileset comes first, and then its inputs"))
    }

    @Test func `a column without a name isn't called taken`() throws {
        let input = try folder.file("t.csv", "lat,lon,,a,a\n1,2,3,4,5\n")
        let outcome = try build(of: input)
        #expect(outcome.standardError.contains("          a column without a name is written as \"column_3\"\n"))
        #expect(outcome.standardError.contains("\"a\" is written as \"a_2\" because the name is taken\n"))
        #expect(!outcome.standardError.contains("\"\" is"))
    }

    @Test(arguments: badUses)
    func `a wrong command line or input has its exit code and says why on standard error`(use: String) throws {
        let parts = use.split(separator: " => ", maxSplits: 1)
        let words = parts[0].split(separator: " ").map(String.init)
        let outcome = try CommandLineProgram.run(words.dropFirst().map { $0 == "out" ? out : $0 })
        #expect("\(outcome.exitCode)" == words[0] && outcome.standardOutput.isEmpty)
        let line = outcome.standardError.split(separator: "\n").first { $0.hasPrefix("error: ") }
        #expect(line?.contains(parts[1]) == true, "\(outcome.standardError)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func `a pyramid with a damaged manifest is built anew`() throws {
        _ = try build()
        let whole = try fileTree(at: out)
        let manifest = URL(fileURLWithPath: folder.path("out/manifest.json"))
        try Data(contentsOf: manifest).prefix(500).write(to: manifest)
        #expect(try build().exitCode == 0)
        #expect(try fileTree(at: out) == whole)
    }

    @Test func `symbolic links in the output are not followed`() throws {
        _ = try build("--max-zoom", "4")
        let outside = folder.path("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        // A file becomes a file again; a directory can't be used.
        let target = try folder.file("target.txt", "precious")
        for name in ["tilejson.json", "tiles/4/15/8.json"] {
            try FileManager.default.removeItem(atPath: folder.path("out/" + name))
            try FileManager.default.createSymbolicLink(atPath: folder.path("out/" + name), withDestinationPath: target)
        }
        #expect(try build("--max-zoom", "4").exitCode == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        try expectSound()

        try FileManager.default.removeItem(atPath: folder.path("out/tiles/4"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("out/tiles/4"), withDestinationPath: outside)
        let refused = try build("--max-zoom", "4")
        #expect(refused.exitCode == 73)
        #expect(refused.standardError.contains("out/tiles/4: is a symbolic link, expected a directory"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }

    @Test func `a quiet build warns of rows that it skipped`() throws {
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try build("--quiet", of: input)
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError == "warning: skipped 1 of 5 rows, 20% (coordinate out of range: 1)\n")
        // The same for a share that is no warning of its own.
        _ = try folder.file("cities.csv", BuildCommandTests.withABadRow + String(repeating: "x,1,2,3\n", count: 20))
        let few = try build("--quiet", of: input)
        #expect(few.standardError == "warning: skipped 1 of 25 rows, 4% (coordinate out of range: 1)\n")
    }

    @Test func `a quiet build says nothing of rows that only lack a place`() throws {
        _ = try folder.file("cities.csv", "a,lat,lon\nx,1,2\ny,,\nz,NULL,NULL\n")
        let outcome = try build("--quiet", of: input)
        #expect(outcome.exitCode == 0 && outcome.standardError.isEmpty)
        _ = try folder.file("cities.csv", "a,lat,lon\nx,1,2\ny,,\nz,99,0\n")
        #expect(
            try build("--quiet", of: input).standardError
                == "warning: skipped 2 of 3 rows, 66% (missing coordinate: 1, coordinate out of range: 1)\n")
    }

    @Test func `a sum of booleans names what counts them`() throws {
        _ = try folder.file("cities.csv", "open now,n,lat,lon\ntrue,x,1,2\nfalse,y,3,4\n")
        let both = try build("--accumulate-attribute", "open now:sum,n:max", of: input).standardError
        #expect(
            both.contains(
                "2 values of \"open now\" are not numbers and are left out of its sum, the first in \(input):2: \"true\"; "
                    + "--count-by 'open now' counts true and false\n"))
        #expect(both.contains("are left out of its max, the first in \(input):2: \"x\"\n"))
    }

    @Test func `a sum of numbers with commas gets the command that takes them out`() throws {
        let input = try folder.file(
            "cities.csv", "n,m,lat,lon\n\"1,037\",\"a, 1,234\",1,2\n\"12,345,678.5\",b,3,4\n9,c,5,6\n")
        let said = try build("--accumulate-attribute", "n:sum", of: input).standardError
        #expect(
            said.contains(
                "2 values of \"n\" are not numbers and are left out of its sum, the first in \(input):2: \"1,037\""))
        let command = try #require(said.firstMatch(of: /take the commas out: (perl .*) \| pyramid build - OUT/)?.1)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", String(command)]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "n,m,lat,lon\n1037,\"a, 1,234\",1,2\n12345678.5,b,3,4\n9,c,5,6\n")
    }

    @Test func `clusters can be left out with -1 as the last zoom`() throws {
        for words in [["--cluster-maxzoom", "-1"], ["--cluster-maxzoom=-1"]] {
            let outcome = try CommandLineProgram.run(
                ["build", input] + words + [out, "--max-zoom", "3"])
            #expect(try outcome.exitCode == 0 && tileset.manifest().zooms.map(\.markers) == [4, 4, 4, 4])
        }
    }

    @Test func `a build that needs more memory than it may is refused`() throws {
        let refused = try build("--memory-limit", "12k")
        #expect(refused.exitCode == 71)
        #expect(refused.standardError.contains("of memory for 4 points, "))
        #expect(refused.standardError.contains("--memory-limit is 12 KiB; raise it to "))
        #expect(!FileManager.default.fileExists(atPath: out))
        for limit in ["none", "1G", "available"] {
            #expect(try build("--memory-limit", limit).exitCode == 0)
        }
    }

    @Test func `what clusters carry can be asked for`() throws {
        let words = """
            --max-zoom 3 --accumulate-attribute cluster:comma --count-by name:1 --cluster-properties Lat \
            --count-label 99+ --members 9 --member-properties name
            """
        let outcome = try CommandLineProgram.run(
            ["build", input, out] + words.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 0)
        try expectSound()
        let tile = try #require(try tileset.tile(z: 1, x: 1, y: 1) ?? tileset.tile(z: 1, x: 0, y: 1))
        let properties = try #require(tile.markers.compactMap(\.cluster).first?.properties)
        #expect(Set(properties.keys) == ["cluster_", "name", "lat", "members"])
        #expect(properties["cluster_"] == "a,b")
    }

    @Test func `a column that is not there is named, with those that are`() throws {
        for option in [
            "--count-by", "--cluster-properties", "--priority", "--weight", "--include", "--group-by", "--unclustered",
            "--types",
        ] {
            let value = option == "--types" ? "nmae:string" : "nmae"
            let outcome = try build(option, value)
            #expect(outcome.exitCode == 64)
            #expect(outcome.standardError.contains("\"nmae\"") && outcome.standardError.contains("\"name\", \"lat\""))
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func `groups and points that are never merged are counted`() throws {
        let rows = (0..<9).map { "p\($0),10,50,\($0 % 2 == 0 ? "even" : "odd"),\($0 < 2 ? "yes" : "no")\n" }
        let input = try folder.file("points.csv", "name,lon,lat,kind,fixed\n" + rows.joined())
        let outcome = try build("--group-by", "kind", "--unclustered", "fixed=yes", "--max-zoom", "1", of: input)
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("2 points never merged"))
        #expect(outcome.standardError.contains("grouped by kind"))
        #expect(outcome.standardError.contains("including 2 clusters"))
        try expectSound()
    }

    @Test(arguments: [("out", "gzip"), ("out", "none"), ("out.pmtiles", "gzip")])
    func `the layer of vector tiles has the name that is given`(output: String, compression: String) throws {
        for name in ["shops", "Läden", nil] {
            let outcome = try CommandLineProgram.run(
                ["build", input, folder.path(output), "--max-zoom", "3", "--format", "mvt"]
                    + ["--compression", compression] + (name.map { ["--layer", $0] } ?? []))
            #expect(outcome.exitCode == 0, "\(outcome.standardError)")
            let tileset = try LocalTileset.open(path: folder.path(output))
            #expect(try tileset.tileJSON().vectorLayers.map(\.id) == [name ?? "points"])
            for tile in try tileset.tileEntries().map(\.address) {
                #expect(try ReferenceMVT(try #require(try tileset.body(of: tile))).name == name ?? "points")
            }
            #expect(try CommandLineProgram.run(["verify", folder.path(output)]).exitCode == 0)
        }
    }

    @Test func `the suffix, the compression and the words of TileJSON are the user's`() throws {
        let outcome = try build(
            "--tile-suffix", ".geojson", "--compression", "none", "--base-url", "https://cdn.example.org/points/",
            "--name", "Cities", "--attribution", "© nobody", "--description", "Large cities")
        #expect(outcome.exitCode == 0)
        let tileJSON = try tileset.tileJSON()
        #expect(tileJSON.tiles == ["https://cdn.example.org/points/tiles/{z}/{x}/{y}.geojson"])
        #expect(tileJSON.data == tileJSON.tiles)
        #expect(tileJSON.description == "Large cities")
        #expect(tileJSON.name == "Cities" && tileJSON.attribution == "© nobody")
        let tile = try #require(FileManager.default.contents(atPath: out + "/tiles/0/0/0.geojson"))
        #expect(tile.starts(with: Data("{".utf8)))
        try expectSound()
        let shown = try CommandLineProgram.run(["show", out, "0/0/0"])
        #expect(shown.exitCode == 0 && shown.standardOutput.contains("\"FeatureCollection\""))
        let summary = try CommandLineProgram.run(["show", out])
        #expect(summary.standardOutput.contains("as JSON") && !summary.standardOutput.contains("compressed"))
    }

    @Test(arguments: [("biuld", "; did you mean build?"), ("Verify", "; did you mean verify?"), ("cities.csv", "")])
    func `a command that there isn't is one line`(name: String, advice: String) throws {
        let outcome = try CommandLineProgram.run([name, "cities.csv", "out"])
        #expect(outcome.exitCode == 64 && outcome.standardOutput.isEmpty)
        #expect(
            outcome.standardError
                == "error: no command \"\(name)\", expected one of build, verify, show, serve, diff, publish, schema, plan, "
                + "join, help\(advice)\n")
    }
}
