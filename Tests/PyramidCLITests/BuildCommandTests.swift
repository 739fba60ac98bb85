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

    @Test func `a build ends with a summary on standard error and nothing on standard output`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try CommandLineProgram.run(["build", input, folder.path("out"), "--max-zoom", "6"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardOutput.isEmpty)
        #expect(outcome.standardError.contains("5 read, 4 accepted, 1 skipped"))
        #expect(outcome.standardError.contains("cities.csv:6: latitude is \"91.3\", expected degrees from -90 to 90"))
        #expect(outcome.standardError.contains("\"cluster\" is written as \"cluster_\""))
        #expect(outcome.standardError.contains("peak memory"))
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test func `quiet prints nothing and json prints the figures on standard output`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try CommandLineProgram.run(
            ["build", input, folder.path("out"), "--max-zoom", "6", "--quiet", "--json"])
        #expect(outcome.exitCode == 0)
        let json = try outcome.json()
        let rows = try #require(json["input"] as? [String: Any])
        #expect(rows["rows_read"] as? Int == 5)
        #expect(rows["rows_accepted"] as? Int == 4)
        let tiles = try #require(json["tiles"] as? [String: Int])
        #expect(tiles["unchanged"] == 0)
        #expect(tiles["written"] == (try DirectoryTileset(path: folder.path("out")).tileEntries().count))
    }

    @Test func `the summary says what the columns became, and how many more there are`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file(
            "a.csv", "id,lat,lon,price,sea view,open,note,zip\n7,1,2,880.0,x,True,,7030\n8,3,4,12.50,,false,,n/a\n")
        let build = ["build", input, folder.path("out"), "--max-zoom", "3", "--id-column", "id", "--json", "--types"]
        let outcome = try CommandLineProgram.run(build + ["zip:number"])
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
        let other = try CommandLineProgram.run(["build", wide, folder.path("wide"), "--max-zoom", "3"])
        #expect(other.standardError.contains(", c11 string, c12 string and 3 more\n"))
        #expect(!other.standardError.contains("c13"))
        // "and 1 more" would be as long as its name.
        let thirteen = names.prefix(13).joined(separator: ",")
        let almost = try folder.file("c.csv", "lat,lon,\(thirteen)\n1,2,\(thirteen)\n")
        let all = try CommandLineProgram.run(["build", almost, folder.path("almost"), "--max-zoom", "3"])
        #expect(all.standardError.contains(", c12 string, c13 string\n"))
    }

    @Test func `standard input is read where the input is a dash`() throws {
        let folder = try TemporaryFolder()
        let outcome = try CommandLineProgram.run(
            ["build", "-", folder.path("out"), "--max-zoom", "3"], input: Data(BuildCommandTests.cities.utf8))
        #expect(outcome.exitCode == 0)
        let manifest = try DirectoryTileset(path: folder.path("out")).manifest()
        #expect(manifest.input.rowsAccepted == 4)
    }

    @Test func `GeoJSON of standard input and files of CSV make one pyramid`() throws {
        let folder = try TemporaryFolder()
        let first = try folder.file("a.csv", BuildCommandTests.cities)
        let second = try folder.file("b.csv", "name,lat,lon\nLima,-12.0464,-77.0428\n")
        let piped = """
            {"features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[12.5,41.9,20]},
            "properties":{"name":"Roma","tags":["a",{"b":null}]}},
            {"type":"Feature","geometry":null,"properties":{}}],"type":"FeatureCollection"}
            """
        let arguments = [first, "-", second, folder.path("out"), "--max-zoom", "3"]
        let outcome = try CommandLineProgram.run(["build"] + arguments, input: Data(piped.utf8))
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("7 read, 6 accepted, 1 skipped"))
        #expect(outcome.standardError.contains("standard input:3: feature 2: geometry is missing, expected a Point"))
        let manifest = try DirectoryTileset(path: folder.path("out")).manifest()
        #expect(manifest.content.properties == ["cluster_", "name", "tags"])
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test func `a second build leaves unchanged tiles alone and removes those that are no more`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let build = ["build", input, folder.path("out"), "--max-zoom", "5", "--json", "--quiet"]
        _ = try CommandLineProgram.run(build)
        let tile = folder.path("out/tiles/5") + "/31/17.json"
        let before = try FileManager.default.attributesOfItem(atPath: tile)[.systemFileNumber] as? Int

        _ = try folder.file(
            "cities.csv",
            BuildCommandTests.cities.split(separator: "\n").filter { !$0.hasPrefix("Ushuaia") }.joined(separator: "\n"))
        let second = try CommandLineProgram.run(build)
        let json = try second.json()
        let tiles = try #require(json["tiles"] as? [String: Int])
        #expect(try #require(tiles["removed"]) > 0)
        #expect(try #require(tiles["unchanged"]) > 0)
        let after = try FileManager.default.attributesOfItem(atPath: tile)[.systemFileNumber] as? Int
        #expect(before != nil && before == after)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out/tiles/5/9")))
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test func `strict refuses any bad row and leaves the output as it was`() throws {
        let folder = try TemporaryFolder()
        let good = try folder.file("good.csv", BuildCommandTests.cities)
        let bad = try folder.file("bad.csv", BuildCommandTests.withABadRow)
        let out = folder.path("out")
        #expect(try CommandLineProgram.run(["build", bad, out, "--strict"]).exitCode == 65)
        #expect(!FileManager.default.fileExists(atPath: out))

        _ = try CommandLineProgram.run(["build", good, out, "--max-zoom", "4"])
        let before = try fileTree(at: out)
        let outcome = try CommandLineProgram.run(["build", bad, out, "--max-zoom", "4", "--strict"])
        #expect(outcome.exitCode == 65)
        #expect(outcome.standardError.contains("expected none (--strict); "))
        #expect(outcome.standardError.contains("bad.csv:6: latitude is \"91.3\""))
        #expect(
            outcome.standardError.hasSuffix("; to build without these rows, use --max-skipped 1 instead of --strict\n"))
        #expect(try fileTree(at: out) == before)
    }

    @Test func `too many bad rows leave the output as it was, and the message names the option that allows them`()
        throws
    {
        let folder = try TemporaryFolder()
        let shops = "name,lat,lon\n" + (0..<93).map { "s\($0),\($0 % 80).5,\($0)\n" }.joined()
        let good = try folder.file("good.csv", shops)
        // As a file that is not UTF-8.
        var bytes = Data(shops.utf8)
        for row in 0..<200 { bytes += Data("S".utf8) + [0xfc] + Data("d,\(row % 80),7\n".utf8) }
        let bad = try folder.file("bad.csv", bytes)
        let out = folder.path("out")
        let build = ["build", bad, out, "--max-zoom", "3", "--quiet"]
        #expect(try CommandLineProgram.run(["build", good, out, "--max-zoom", "3"]).exitCode == 0)
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
        #expect(try CommandLineProgram.run(build + ["--encoding", "windows-1252"]).exitCode == 0)
        #expect(try DirectoryTileset(path: out).manifest().input.rowsAccepted == 293)
        #expect(try CommandLineProgram.run(["verify", out, bad]).exitCode == 0)
    }

    @Test func `a column whose name ends like an order can be named`() throws {
        let folder = try TemporaryFolder()
        let out = folder.path("out")
        func bounds(_ header: String, _ column: String) throws -> [Double] {
            let input = try folder.file("pairs.csv", header + "\n\"48.1,11.5\",\"47.5,12.25\"\n")
            let outcome = try CommandLineProgram.run(["build", input, out, "--max-zoom", "2", "--point-column", column])
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
            #expect(try CommandLineProgram.run(["verify", out, input]).exitCode == 0)
            return try Array(DirectoryTileset(path: out).tileJSON().bounds.prefix(2))
        }
        #expect(try bounds("a,b", "a") == [11.5, 48.1])
        #expect(try bounds("a,b", "a:lat-lon") == [11.5, 48.1])
        #expect(try bounds("a,b", "a:lon-lat") == [48.1, 11.5])
        #expect(try bounds("a:lon-lat,b", "a:lon-lat") == [11.5, 48.1])
        #expect(try bounds("b,a:lon-lat", "a:lon-lat") == [12.25, 47.5])
        #expect(try bounds("a,a:lon-lat", "a:lon-lat") == [12.25, 47.5])
        #expect(try bounds("a,a:lon-lat", "a:lon-lat:lon-lat") == [47.5, 12.25])
        #expect(try bounds("a,:lon-lat", ":lon-lat") == [12.25, 47.5])
        let input = folder.path("pairs.csv")
        let outcome = try CommandLineProgram.run(["build", input, out, "--point-column", "c:lon-lat"])
        #expect(
            outcome.standardError.contains("no column \"c\" for --point-column, expected one of \"a\", \":lon-lat\""))
    }

    @Test func `a directory that holds other files is refused and left alone`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let outcome = try CommandLineProgram.run(["build", input, folder.url.path])
        #expect(outcome.exitCode == 73)
        #expect(outcome.standardError.contains("holds other files (cities.csv)"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["cities.csv"])
        #expect(try CommandLineProgram.run(["build", input, input]).exitCode == 73)
    }

    private static let badUses: [(arguments: String, exitCode: Int32, reason: String)] = [
        ("build", 64, "Missing expected argument '<path> ...'"),
        ("build in.csv", 64, #"expected at least one input and the output, found only "in.csv""#),
        ("build - - out", 64, "standard input (-) is given 2 times, expected once"),
        ("build - out --max-zoom 24", 64, "--max-zoom is 24, expected 0 to 23"),
        ("build - out --min-zoom 9 --max-zoom 8", 64, "--min-zoom is 9, expected 0 to 8, the max zoom"),
        (
            "build - out --cell-size 48 --method grid", 64,
            "--cell-size is 48, expected a power of two from 4 to 256 pixels"
        ),
        ("build - out --cluster-distance 0", 64, "--cluster-distance is 0, expected 1 to 256 pixels"),
        ("build - out --min-points 1", 64, "--min-points is 1, expected 2 or more"),
        (
            "build - out --position nearest", 64,
            #"--position is "nearest", expected anchor, centroid with --method anchors"#
        ),
        ("build - out --jobs 0", 64, "--jobs is 0, expected 1 or more"),
        (
            "build - out --max-zoom 14 --cluster-maxzoom 14", 64,
            "--cluster-maxzoom is 14, expected -1 to 13, one less than the max zoom"
        ),
        (
            "build - out --cluster-maxzoom 23", 64,
            "--cluster-maxzoom is 23, expected -1 to 22, one less than the max zoom"
        ),
        ("build - out --min-zoom 24", 64, "--min-zoom is 24, expected 0 to 23, the max zoom"),
        (
            "build - out --cluster-maxzoom -2", 64,
            "--cluster-maxzoom is -2, expected -1 to 19, one less than the max zoom"
        ),
        (
            "build - out --cluster-maxzoom --strict", 64,
            "The value '--strict' is invalid for '--cluster-maxzoom <zoom>'"
        ),
        ("build - out --memory-limit", 64, "Missing value for '--memory-limit <size>'"),
        ("build - out --memory-limit lots", 64, "The value 'lots' is invalid for '--memory-limit <size>'"),
        ("build - out --memory-limit 0", 64, "The value '0' is invalid for '--memory-limit <size>'"),
        ("build - out --nonsense", 64, "Unknown option '--nonsense'"),
        (
            "build - out --accumulate-attribute name", 64,
            #"found "name", expected column:operation or column:operation:name with one of sum,"#
        ),
        ("build - out --accumulate-attribute name:median", 64, #"found "name:median", expected column:operation or"#),
        (
            "build - out --accumulate-attribute name:count --count-by name", 64,
            #"two options add a property "name" to clusters; name a column in"#
        ),
        ("build - out --accumulate-attribute name:count:", 64, #"found "name:count:", expected column:operation or"#),
        (
            "build - out --accumulate-attribute name:count:cluster_id", 64,
            #"every cluster already has a property "cluster_id", expected another"#
        ),
        ("build - out --layer points2", 64, "--layer needs --format mvt"),
        ("build - out --format mvt --layer=", 64, "Missing value for '--layer <name>'"),
        ("build - out --types name", 64, #"found "name", expected column:type with one of string, number, boolean"#),
        (
            "build - out --types name:text", 64,
            #"found "name:text", expected column:type with one of string, number, boolean"#
        ),
        (
            "build - out --count-by name:0", 64,
            #"found "name:0", expected column or column:limit with a limit from 1 to 1000"#
        ),
        (
            "build - out --quotes double", 64,
            "The value 'double' is invalid for '--quotes <rule>'. Please provide one of 'auto', 'csv' or 'none'."
        ),
        (
            "build - out --encoding latin1", 64,
            "The value 'latin1' is invalid for '--encoding <name>'. Please provide one of 'utf-8', 'windows-1252', "
        ),
        ("build - out --skip-lines=-1", 64, "--skip-lines is -1, expected 0 or more"),
        ("build - out --skip-lines two", 64, "The value 'two' is invalid for '--skip-lines <n>'"),
        (
            "build - out --max-skipped 5,5%", 64,
            #"found "5,5%", expected a number of rows, such as 20, or a share, such as 5%"#
        ),
        (
            "schema - --max-skipped 101%", 64,
            #"found "101%", expected a number of rows, such as 20, or a share, such as 5%"#
        ),
        (
            "build - out --max-skipped 5 --strict", 64,
            "--max-skipped can't be used with --strict, which allows no skipped row"
        ),
        (
            "join a out --max-skipped 5 --strict", 64,
            "--max-skipped can't be used with --strict, which allows no skipped row"
        ),
        ("build - out --members 3", 64, "--members needs --id-column, or --member-properties to list other columns"),
        ("build - out --member-properties name", 64, "--member-properties needs --members"),
        (
            "build - out --mode filter --scale", 64,
            "--mode filter writes no clusters and can't be used with options for cluster properties"
        ),
        ("build - out --keep-count", 64, "--keep-count needs --mode filter"),
        (
            "build - out --cluster-distance 0-3:40", 64,
            "The value '0-3:40' is invalid for '--cluster-distance <pixels>'"
        ),
        (
            "build missing.csv out", 66,
            "missing.csv: can't be opened (No such file or directory), expected a readable file"
        ),
        ("verify", 64, "Missing expected argument '<tileset>'"),
        ("show out 1/2/3", 64, "The value '1/2/3' is invalid for '<z/x/y>'"),
        ("show missing", 66, "missing: no such directory or archive"),
        ("nonsense", 64, #"no command "nonsense", expected one of build, verify,"#),
    ]

    @Test func `a column without a name isn't called taken`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("t.csv", "lat,lon,,a,a\n1,2,3,4,5\n")
        let outcome = try CommandLineProgram.run(["build", input, folder.path("out"), "--max-zoom", "1"])
        #expect(outcome.standardError.contains("          a column without a name is written as \"column_3\"\n"))
        #expect(outcome.standardError.contains("\"a\" is written as \"a_2\" because the name is taken\n"))
        #expect(!outcome.standardError.contains("\"\" is"))
    }

    @Test(arguments: badUses)
    func `bad use has its exit code and says why on standard error`(
        arguments: String, exitCode: Int32, reason: String
    ) throws {
        let folder = try TemporaryFolder()
        let outcome = try CommandLineProgram.run(
            arguments.split(separator: " ").map { $0 == "out" ? folder.path("out") : String($0) })
        #expect(outcome.exitCode == exitCode)
        #expect(outcome.standardOutput.isEmpty)
        let line = outcome.standardError.split(separator: "\n").first { $0.hasPrefix("error: ") }
        #expect(line?.contains(reason) == true, "\(outcome.standardError)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `another program's manifest makes no pyramid`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let site = folder.path("site")
        try FileManager.default.createDirectory(atPath: site + "/tiles/3/1", withIntermediateDirectories: true)
        try Data(#"{"name": "My web app"}"#.utf8).write(to: URL(fileURLWithPath: site + "/manifest.json"))
        try Data("precious".utf8).write(to: URL(fileURLWithPath: site + "/tiles/3/1/2.json"))
        let before = try fileTree(at: site)
        #expect(try CommandLineProgram.run(["build", input, site]).exitCode == 73)
        #expect(try fileTree(at: site) == before)
    }

    @Test func `a pyramid with a damaged manifest is built anew`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let build = ["build", input, folder.path("out"), "--max-zoom", "3"]
        _ = try CommandLineProgram.run(build)
        let whole = try fileTree(at: folder.path("out"))
        let manifest = URL(fileURLWithPath: folder.path("out/manifest.json"))
        try Data(contentsOf: manifest).prefix(500).write(to: manifest)
        #expect(try CommandLineProgram.run(build).exitCode == 0)
        #expect(try fileTree(at: folder.path("out")) == whole)
    }

    @Test func `a directory that another build holds is refused, and one of a dead build is taken over`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let build = ["build", input, folder.path("out"), "--max-zoom", "3"]
        _ = try CommandLineProgram.run(build)
        let marker = try folder.file(
            "out/.building", "A build of this pyramid is under way, or was interrupted.\nprocess 7")
        let descriptor = open(marker, O_RDWR)
        #expect(flock(descriptor, LOCK_EX) == 0)
        let refused = try CommandLineProgram.run(build)
        #expect(refused.exitCode == 75)
        #expect(refused.standardError.contains("another build or publish holds the directory (process 7)"))
        close(descriptor)
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 1)
        #expect(try CommandLineProgram.run(build).exitCode == 0)
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test func `symbolic links in the output are not followed`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let build = ["build", input, folder.path("out"), "--max-zoom", "4"]
        _ = try CommandLineProgram.run(build)
        let outside = folder.path("outside")
        try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
        // A file becomes a file again; a directory can't be used.
        let target = try folder.file("target.txt", "precious")
        for name in ["tilejson.json", "tiles/4/15/8.json"] {
            try FileManager.default.removeItem(atPath: folder.path("out/" + name))
            try FileManager.default.createSymbolicLink(atPath: folder.path("out/" + name), withDestinationPath: target)
        }
        #expect(try CommandLineProgram.run(build).exitCode == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)

        try FileManager.default.removeItem(atPath: folder.path("out/tiles/4"))
        try FileManager.default.createSymbolicLink(atPath: folder.path("out/tiles/4"), withDestinationPath: outside)
        let refused = try CommandLineProgram.run(build)
        #expect(refused.exitCode == 74)
        #expect(refused.standardError.contains("out/tiles/4: "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
    }

    @Test func `a quiet build warns of rows that it skipped`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.withABadRow)
        let outcome = try CommandLineProgram.run(["build", input, folder.path("out"), "--max-zoom", "3", "--quiet"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError == "warning: skipped 1 of 5 rows, 20% (coordinate out of range: 1)\n")
        // The same for a share that is no warning of its own.
        _ = try folder.file("cities.csv", BuildCommandTests.withABadRow + String(repeating: "x,1,2,3\n", count: 20))
        let few = try CommandLineProgram.run(["build", input, folder.path("out"), "--max-zoom", "3", "--quiet"])
        #expect(few.standardError == "warning: skipped 1 of 25 rows, 4% (coordinate out of range: 1)\n")
    }

    @Test func `clusters can be left out with -1 as the last zoom`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        for words in [["--cluster-maxzoom", "-1"], ["--cluster-maxzoom=-1"]] {
            let outcome = try CommandLineProgram.run(
                ["build", input] + words + [folder.path("out"), "--max-zoom", "3"])
            #expect(outcome.exitCode == 0)
            let manifest = try DirectoryTileset(path: folder.path("out")).manifest()
            #expect(manifest.zooms.map(\.markers) == [4, 4, 4, 4])
        }
    }

    @Test func `a build that needs more memory than it may is refused`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let build = ["build", input, folder.path("out"), "--max-zoom", "3", "--memory-limit"]
        let refused = try CommandLineProgram.run(build + ["12k"])
        #expect(refused.exitCode == 71)
        #expect(refused.standardError.contains("of memory for 4 points, "))
        #expect(refused.standardError.contains("--memory-limit is 12 KiB; raise it to "))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
        for limit in ["none", "1G", "available"] {
            #expect(try CommandLineProgram.run(build + [limit]).exitCode == 0)
        }
    }

    @Test func `what clusters carry can be asked for`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let words = """
            --max-zoom 3 --accumulate-attribute cluster:comma --count-by name:1 --cluster-properties Lat --scale \
            --count-label 99+ --members 9 --member-properties name --parents
            """
        let outcome = try CommandLineProgram.run(
            ["build", input, folder.path("out")] + words.split(separator: " ").map(String.init))
        #expect(outcome.exitCode == 0)
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
        let pyramid = DirectoryTileset(path: folder.path("out"))
        let tile = try #require(try pyramid.tile(z: 1, x: 1, y: 1) ?? pyramid.tile(z: 1, x: 0, y: 1))
        let cluster = tile.markers.compactMap { marker in
            if case .cluster(let cluster) = marker { cluster } else { nil }
        }.first
        let properties = try #require(cluster?.properties)
        #expect(Set(properties.keys) == ["cluster_", "name", "lat", "scale", "members", "parent"])
        #expect(properties["cluster_"] == "a,b")
        #expect(properties["scale"] == 1.693)
    }

    @Test func `a column that is not there is named, with those that are`() throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        for option in [
            "--count-by", "--cluster-properties", "--priority", "--weight", "--include", "--group-by", "--unclustered",
            "--types",
        ] {
            let value = option == "--types" ? "nmae:string" : "nmae"
            let outcome = try CommandLineProgram.run(["build", input, folder.path("out"), option, value])
            #expect(outcome.exitCode == 64)
            #expect(outcome.standardError.contains("\"nmae\"") && outcome.standardError.contains("\"name\", \"lat\""))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test func `groups and points that are never merged are counted`() throws {
        let folder = try TemporaryFolder()
        let rows = (0..<9).map { "p\($0),10,50,\($0 % 2 == 0 ? "even" : "odd"),\($0 < 2 ? "yes" : "no")\n" }
        let input = try folder.file("points.csv", "name,lon,lat,kind,fixed\n" + rows.joined())
        let outcome = try CommandLineProgram.run(
            ["build", input, folder.path("out"), "--group-by", "kind", "--unclustered", "fixed=yes", "--max-zoom", "1"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("2 points never merged"))
        #expect(outcome.standardError.contains("grouped by kind"))
        #expect(outcome.standardError.contains("including 2 clusters"))
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test func `files of both formats make one pyramid`() throws {
        let folder = try TemporaryFolder()
        let csv = try folder.file("cities.csv", BuildCommandTests.cities)
        let json = try folder.file(
            "more.geojson",
            #"{"type":"Feature","geometry":{"type":"Point","coordinates":[2.35,48.85]},"properties":{"name":"Paris"}}"#)
        let outcome = try CommandLineProgram.run(["build", csv, json, folder.path("out"), "--max-zoom", "3"])
        #expect(outcome.exitCode == 0)
        #expect(outcome.standardError.contains("5 read, 5 accepted"))
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
    }

    @Test(arguments: [("out", "gzip"), ("out", "none"), ("out.pmtiles", "gzip")])
    func `the layer of vector tiles has the name that is given`(output: String, compression: String) throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
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
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let outcome = try CommandLineProgram.run([
            "build", input, folder.path("out"), "--max-zoom", "3", "--tile-suffix", ".geojson", "--compression", "none",
            "--base-url", "https://cdn.example.org/points/", "--name", "Cities", "--attribution", "© nobody",
            "--description", "Large cities",
        ])
        #expect(outcome.exitCode == 0)
        let pyramid = DirectoryTileset(path: folder.path("out"))
        let tileJSON = try pyramid.tileJSON()
        #expect(tileJSON.tiles == ["https://cdn.example.org/points/tiles/{z}/{x}/{y}.geojson"])
        #expect(tileJSON.description == "Large cities")
        #expect(tileJSON.name == "Cities" && tileJSON.attribution == "© nobody")
        let tile = try #require(FileManager.default.contents(atPath: folder.path("out") + "/tiles/0/0/0.geojson"))
        #expect(tile.starts(with: Data("{".utf8)))
        #expect(try CommandLineProgram.run(["verify", folder.path("out")]).exitCode == 0)
        let shown = try CommandLineProgram.run(["show", folder.path("out"), "0/0/0"])
        #expect(shown.exitCode == 0 && shown.standardOutput.contains("\"FeatureCollection\""))
        let summary = try CommandLineProgram.run(["show", folder.path("out")])
        #expect(summary.standardOutput.contains("as JSON") && !summary.standardOutput.contains("compressed"))
    }

    @Test(arguments: [
        (["--tile-suffix", "/../x"], "\"/../x\""), (["--tile-suffix", ".json.gz", "--compression", "none"], ".gz"),
        (["--base-url", "cdn.example.org"], "\"cdn.example.org\""),
    ])
    func `a suffix or a base URL that can't be is a usage error`(options: [String], words: String) throws {
        let folder = try TemporaryFolder()
        let input = try folder.file("cities.csv", BuildCommandTests.cities)
        let outcome = try CommandLineProgram.run(["build", input, folder.path("out")] + options)
        #expect(outcome.exitCode == 64)
        #expect(outcome.standardError.contains(words))
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    }

    @Test(arguments: ["", "name,lat,lon\n", "name,lat,lon\nNowhere,x,y\n"])
    func `an input without a usable row is bad data`(content: String) throws {
        let folder = try TemporaryFolder()
        let outcome = try CommandLineProgram.run(["build", "-", folder.path("out")], input: Data(content.utf8))
        #expect(outcome.exitCode == 65)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
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
