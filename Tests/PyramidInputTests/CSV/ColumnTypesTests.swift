import Foundation
import PyramidTiles
import PyramidVerification
import TestSupport
import Testing

@testable import PyramidInput

/// What the columns of inputs become.
struct ColumnTypesTests {
    private func contents(_ texts: String..., options: InputOptions = InputOptions()) throws -> [String: String] {
        let inputs = texts.enumerated().map { InputBytes(Array($0.element.utf8), name: "\($0.offset).txt") }
        let columns = try PointTable(reading: inputs, options: options.lenient).report.columns
        return Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.content.name + ($0.isID ? " id" : "")) })
    }

    private func types(_ rules: String...) -> InputOptions {
        InputOptions(types: rules.compactMap { ColumnTypeRule($0) })
    }

    @Test func `an export of pandas is numbers and booleans as they stand`() throws {
        let table = try CSVReading.table(
            """
            latitude,longitude,median_age,value,zip,open,note
            37.88,-122.23,41.0,880.0,07030,True,
            37.86,-122.22,21.0,12.50,10001,FALSE,
            37.85,-122.24,,-0.50,10002,true,
            """)
        #expect(
            CSVReading.properties(table) == [
                #"{"median_age":41.0,"value":880.0,"zip":"07030","open":true}"#,
                #"{"median_age":21.0,"value":12.50,"zip":"10001","open":false}"#,
                #"{"value":-0.50,"zip":"10002","open":true}"#,
            ])
        #expect(
            table.fields == [
                "median_age": "Number", "value": "Number", "zip": "String", "open": "Boolean", "note": "String",
            ])
        #expect(table.report.columns.map(\.name) == ["median_age", "value", "zip", "open", "note"])
        #expect(table.report.columns.map(\.content) == [.number, .number, .text, .boolean, []])
        #expect(table.report.warnings.isEmpty)
    }

    /// The cells of a column, and what the column is.
    private static let columns: [([String], ValueKinds)] = [
        (["1", "", "2.0"], .number), (["1", "", " 2"], .text), (["1", "true"], .text), (["true", "1"], .text),
        (["TRUE", "", "fAlSe"], .boolean), (["true", "yes"], .text), (["true", " true"], .text),
        (["", ""], []),
        (["tru", "true"], .text), (["falsey"], .text), (["", "", "007"], .text),
        (["\"1\"", "\"2.50\""], .number),
        (["\"1\"\"\"", "2"], .text), (["9007199254740992", "-0", "1e5"], .number), (["9007199254740993"], .text),
    ]

    @Test func `a column is what all its cells are, in any order and however the input is cut`() throws {
        var random = SeededRandom(seed: 61)
        for (cells, expected) in ColumnTypesTests.columns {
            for _ in 0..<6 {
                // Many empty cells lie between those with values.
                var rows = [String](repeating: "", count: 90)
                for cell in cells { rows[random.next(below: rows.count)] = cell }
                // One may have taken the place of another.
                for cell in cells where !rows.contains(cell) { rows.append(cell) }
                let text = "lat,lon,v\n" + rows.map { "1,2,\($0)\n" }.joined()
                let tables = try [InputCutting(), InputCutting(jobs: 3, chunkBytes: 40)].map { cutting in
                    try PointTable(
                        reading: [InputBytes(Array(text.utf8), name: "t.csv")], options: InputOptions(),
                        cutting: cutting)
                }
                #expect(tables.map { $0.report.columns[0].content } == [expected, expected], "\(cells)")
            }
        }
    }

    @Test func `a column is numbers if it is in all inputs`() throws {
        let (whole, decimal) = ("lat,lon,n\n1,2,24\n", "n,lat,lon\n24.0,1,2\n")
        let number = GeoJSONText.feature("[1,2]", #","properties":{"n":24}"#)
        let boolean = GeoJSONText.feature("[1,2]", #","properties":{"n":true}"#)
        let string = GeoJSONText.feature("[1,2]", #","properties":{"n":"24"}"#)
        #expect(try contents(whole, decimal) == ["n": "number"])
        #expect(try contents(whole, number) == ["n": "number"])
        #expect(try contents(whole, "lat,lon,n\n1,2,x\n") == ["n": "string"])
        #expect(try contents(whole, "lat,lon,n\n1,2,\n") == ["n": "number"])
        #expect(try contents("lat,lon,n\n1,2,True\n", boolean) == ["n": "boolean"])
        // Cells are written as strings then, and numbers of GeoJSON stay numbers.
        #expect(try contents(whole, string) == ["n": "string"])
        #expect(try contents(whole, string, number) == ["n": "mixed"])
        #expect(try contents(whole, boolean) == ["n": "mixed"])
        #expect(try contents(GeoJSONText.feature("[1,2]", #","properties":{"n":[1]}"#)) == ["n": "nested"])
    }

    @Test func `ids are listed with their column`() throws {
        let text = "lat,lon,k,cluster\n1,2,7.0,a\n1,2,8,b\n"
        #expect(try contents(text, options: InputOptions(idColumn: "K")) == ["k": "number id", "cluster_": "string"])
        #expect(try contents(text, options: InputOptions(exclude: ["k"])) == ["cluster_": "string"])
    }

    private static let declared = """
        lat,lon,zip,flag,id,n
        1,2,7030.0,True,7,x
        3,4,007,NEE,7.0,
        5,6,0.50,false,1e999,+5
        7,8,12345678901234567890,1,8,NaN

        """

    @Test func `declared types overrule what cells look like, and cells that don't fit are left out and counted`()
        throws
    {
        let options = types("ZIP:number", "flag:boolean", "id:string", "n:number")
        let table = try CSVReading.table(ColumnTypesTests.declared, options)
        #expect(
            CSVReading.properties(table) == [
                #"{"zip":7030.0,"flag":true,"id":"7"}"#, #"{"id":"7.0"}"#, #"{"zip":0.50,"flag":false,"id":"1e999"}"#,
                #"{"id":"8"}"#,
            ])
        #expect(table.report.columns.map(\.content) == [.number, .boolean, .text, []])
        #expect(
            table.report.warnings.map(\.description) == [
                #"2 values of "zip" are not numbers and are left out, the first in t.csv:3: "007""#,
                #"2 values of "flag" are not booleans and are left out, the first in t.csv:3: "NEE""#,
                #"3 values of "n" are not numbers and are left out, the first in t.csv:2: "x""#,
            ])
        #expect(table.report.rowsAccepted == 4)
        let one = try CSVReading.table("lat,lon,n\n1,2,3\n1,2, 4\n", types("n:number"))
        #expect(
            one.report.warnings.map(\.description) == [
                #"1 value of "n" is not a number and is left out, in t.csv:3: " 4""#
            ])
    }

    @Test func `cells that are left out are counted once, however the input is cut and in all inputs`() throws {
        let rows = (0..<500).map { "1,2,\($0 % 7 == 3 ? "none" : "\($0).0")\n" }
        let text = "lat,lon,n\n" + rows.joined()
        for cutting in [InputCutting(), InputCutting(jobs: 4, chunkBytes: 100)] {
            let table = try PointTable(
                reading: [InputBytes(Array(text.utf8), name: "a.csv"), InputBytes(Array(text.utf8), name: "b.csv")],
                options: types("n:number"), cutting: cutting)
            #expect(
                table.report.warnings.map(\.description) == [
                    #"142 values of "n" are not numbers and are left out, the first in a.csv:5: "none""#
                ])
        }
    }

    @Test func `values that are left out don't count, and what replaces them does`() throws {
        let pyramid = try BuiltPyramid(
            csv: ColumnTypesTests.declared, clustering: ClusteringOptions(maxZoom: 1),
            clusters: ClusterContentOptions(
                accumulate: ["zip:sum", "zip:count:zips", "zip:comma:list"].compactMap { Accumulation($0) },
                countBy: [CategoryCount(name: "flag")]),
            input: types("zip:number", "flag:boolean"))
        let cluster = try #require(try pyramid.clusters(atZoom: 0).first)
        #expect(cluster.pointCount == 4)
        #expect(cluster.properties["zip"] == 7030.5)
        #expect(cluster.properties["zips"] == 2)
        #expect(cluster.properties["list"] == "0.5,7030")
        #expect(cluster.properties["flag"] == .object(["true": 1, "false": 1, "": 2]))
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().findings == [])
    }

    @Test func `a type needs a column of CSV, once`() throws {
        let csv = "lat,lon,a,id\n1,2,x,7\n"
        let json = GeoJSONText.feature("[1,2]", #","properties":{"b":1}"#)
        func message(_ texts: [String], _ options: InputOptions) -> String {
            let inputs = texts.enumerated().map { InputBytes(Array($0.element.utf8), name: "\($0.offset).txt") }
            do throws(InputError) {
                _ = try PointTable(reading: inputs, options: options.lenient)
                return "fine"
            } catch {
                return "\(error.kind): \(error)"
            }
        }
        #expect(
            message([csv], types("c:number"))
                == #"usage: 0.txt:1: no column "c" for types, expected one of "lat", "lon", "a", "id""#)
        #expect(message([csv, csv], types("c:number")).contains(#"no column "c" for types"#))
        #expect(message([csv, json], types("b:number")).contains(#"no column "b" for types"#))
        #expect(message([csv, json], types("a:string")) == "fine")
        #expect(
            message([json], types("b:number"))
                == "usage: 0.txt: is GeoJSON, whose values have types, but types is only for CSV")
        #expect(message([csv], types("a:string", "A:number")).contains(#"names "a" twice"#))
        var options = types("id:boolean")
        options.idColumn = "id"
        #expect(message([csv], options).contains("booleans, expected string or number"))
        options.types = [ColumnTypeRule(column: "id", type: .number)]
        #expect(message([csv], options) == "fine")
        #expect(
            message(["lat,lon,id\n1,2,x\n"], options).hasSuffix(#"first: 0.txt:2: id is "x", expected a number"#))
    }

    @Test(arguments: ["a", "a:", ":number", "a:int", "a:Number", ""])
    func `a rule is a column and a type`(text: String) {
        #expect(ColumnTypeRule(text) == nil)
        #expect(ColumnTypeRule("a:b:number") == ColumnTypeRule(column: "a:b", type: .number))
    }

    @Test func `ids that are numbers are the same in every spelling, those that are texts are not`() throws {
        func ids(_ texts: String..., types: [ColumnTypeRule] = []) throws -> [Int] {
            let inputs = texts.enumerated().map { InputBytes(Array($0.element.utf8), name: "\($0.offset).txt") }
            let report = try PointTable(reading: inputs, options: InputOptions(idColumn: "k", types: types).lenient)
                .report
            return [report.rowsAccepted, report.rowsSkipped[.duplicateID, default: 0]]
        }
        let rows = "k,lat,lon\n7,1,2\n7.0,3,4\n70e-1,5,6\n8,7,8\n-0,1,1\n0,1,1\n"
        #expect(try ids(rows) == [3, 3])
        #expect(try ids(rows + "x,1,2\n") == [7, 0])
        #expect(try ids(rows, types: [ColumnTypeRule(column: "k", type: .string)]) == [6, 0])
        let number = ColumnTypeRule(column: "k", type: .number)
        #expect(try ids("k,lat,lon\n007,1,2\n7,1,2\n") == [2, 0])
        // A row whose id is no number is bad then.
        #expect(try ids("k,lat,lon\n007,1,2\n7,1,2\n7.0,3,4\n", types: [number]) == [1, 1])
        let feature = { (id: String) in GeoJSONText.feature("[9,9]", #","properties":{"k":\#(id)}"#) }
        #expect(try ids("k,lat,lon\n7.0,1,2\n", feature("7")) == [1, 1])
        #expect(try ids("k,lat,lon\n7.0,1,2\nx,1,2\n", feature(#""7.0""#)) == [2, 1])
        #expect(try ids("k,lat,lon\n7.0,1,2\nx,1,2\n", feature(#""7""#)) == [3, 0])
    }

    @Test func `a decimal comma is written as a point where cells are separated by anything else`() throws {
        let rows = """
            lat;lon;preis;tausend;beides;plz;wert;leer
            1,5;2;19,90;1,234;1.234,56;01,5;-0,5e1;
            3,5;4;7;12,500;2,5;7,5;"2,50";
            5,5;6;;999;;8;1.25;

            """
        let expected = [
            #"{"preis":19.90,"tausend":"1,234","beides":1234.56,"plz":"01,5","wert":-0.5e1}"#,
            #"{"preis":7,"tausend":"12,500","beides":2.5,"plz":"7,5","wert":2.50}"#,
            #"{"tausend":"999","plz":"8","wert":1.25}"#,
        ]
        for delimiter in [";", "\t", "|"] {
            let table = try CSVReading.table(rows.replacingOccurrences(of: ";", with: delimiter))
            #expect(CSVReading.properties(table) == expected)
            #expect(
                table.report.columns.map(\.content) == [.number, .text, .number, .text, .number, []])
        }
        // Between commas, a comma in quotes is text.
        let table = try CSVReading.table("lat,lon,preis\n1,2,\"19,90\"\n3,4,7\n")
        #expect(CSVReading.properties(table) == [#"{"preis":"19,90"}"#, #"{"preis":"7"}"#])
    }

    /// What a column with these values is, by the rule's own words.
    private func expectedContent(of values: [String]) -> ValueKinds {
        let all = values.filter { !$0.isEmpty }
        if all.isEmpty { return [] }
        func isNumber(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return DecimalLiteral.isSafe(bytes.span, in: bytes.indices)
        }
        let withComma = all.filter { $0.contains(",") }
        let areCommasOfThousands =
            !withComma.isEmpty
            && withComma.allSatisfy {
                !$0.contains(".") && $0.split(separator: ",").last?.count(where: \.isNumber) == 3 && !$0.contains("e")
            }
        let areNumbers = zip(all, written(all)).allSatisfy { $0.count { $0 == "," } <= 1 && isNumber($1) }
        return areNumbers && !areCommasOfThousands ? .number : .text
    }

    /// The values with points of thousands left out, and a comma as the decimal point. Points are those of thousands if some
    /// value has a comma too, and every point is before three digits.
    private func written(_ all: [String]) -> [String] {
        // Compiled once: it takes longer than reading the values.
        let thousands = /-?[1-9]\d{0,2}(\.\d{3})+(,\d+)?/
        func hasThousands(_ text: String) -> Bool { text.wholeMatch(of: thousands) != nil }
        let areThousands =
            all.contains { $0.contains(",") && hasThousands($0) }
            && all.allSatisfy { !$0.contains(".") || hasThousands($0) }
        return all.map { (areThousands ? $0.replacing(".", with: "") : $0).replacing(",", with: ".") }
    }

    @Test func `a column with commas depends on all its values, in any order, cut and number of inputs`() throws {
        var random = SeededRandom(seed: 62)
        let pool = [
            "", "", "7", "-2.5", "2,5", "1,234", "-12,345", "0,000", "3,14159", "1,234,567", "007,5", ",5", "5,", "x",
            "1.5,2", "12,5e2",
        ]
        let thousands = ["7", "2,5", "1.631,29", "-12.345,678", "1.631.000", "1.631", "0.123", "2.5", "1.63,2", ""]
        var contents: [ValueKinds: Int] = [:]
        for round in 0..<400 {
            // The later ones make most columns text.
            let kinds =
                round % 4 == 3
                ? thousands.prefix(round % 8 == 3 ? 6 : thousands.count) : pool.prefix(round % 2 == 0 ? 9 : pool.count)
            let kept = (0..<(1 + random.next(below: 4))).map { _ in kinds[random.next(below: kinds.count)] }
            let values = (0..<30).map { $0 < kept.count ? kept[$0] : kept[random.next(below: kept.count)] }
                .shuffled(using: &random)
            let expected = expectedContent(of: values)
            contents[expected, default: 0] += 1
            let rows = values.map { "1;2;\($0)\n" }
            let pieces = [rows[...], rows[..<10], rows[10..<20], rows[20...]].map {
                InputBytes(Array(("lat;lon;v\n" + $0.joined()).utf8), name: "t.csv")
            }
            for (inputs, cutting) in [
                (pieces[..<1], InputCutting()), (pieces[..<1], InputCutting(jobs: 3, chunkBytes: 16)),
                (pieces[1...], InputCutting()),
            ] {
                let table = try PointTable(reading: Array(inputs), options: InputOptions(), cutting: cutting)
                #expect(table.report.columns[0].content == expected, "\(kept)")
                guard expected == .number else { continue }
                let written = CSVReading.properties(table).map { String($0.dropFirst(5).dropLast()) }
                #expect(written.sorted() == self.written(values).sorted(), "\(kept)")
            }
        }
        #expect(contents[.number, default: 0] > 50 && contents[.text, default: 0] > 100)
    }

    @Test func `inputs with points and inputs with commas are numbers together`() throws {
        let (commas, points) = ("lat;lon;n\n1;2;24,5\n", "lat,lon,n\n1,2,24.5\n")
        let number = GeoJSONText.feature("[1,2]", #","properties":{"n":24.5}"#)
        #expect(try contents(commas, points, number) == ["n": "number"])
        #expect(try contents(commas, "lat,lon,n\n1,2,\"24,5\"\n") == ["n": "string"])
        #expect(try contents(commas, "lat;lon;n\n1;2;1,234\n") == ["n": "number"])
        #expect(try contents("lat;lon;n\n1;2;1,234\n", points) == ["n": "string"])
        let inputs = [points, commas].map { InputBytes(Array($0.utf8), name: "t.csv") }
        let table = try PointTable(reading: inputs, options: InputOptions())
        #expect(CSVReading.properties(table) == [#"{"n":24.5}"#, #"{"n":24.5}"#])
    }

    @Test func `a declared number may have a decimal comma, and thousands are left out`() throws {
        let text = "lat;lon;preis;tausend\n1;2;1,234;1,234\n3;4;n/a;7\n5;6;19,9;n/a\n7;8;1.5;12,500\n"
        let table = try CSVReading.table(text, types("preis:number", "tausend:number"))
        #expect(
            CSVReading.properties(table) == [
                #"{"preis":1.234}"#, #"{"tausend":7}"#, #"{"preis":19.9}"#, #"{"preis":1.5}"#,
            ])
        #expect(
            table.report.warnings.map(\.description) == [
                #"1 value of "preis" is not a number and is left out, in t.csv:3: "n/a""#,
                #"3 values of "tausend" are not numbers and are left out, the first in t.csv:2: "1,234""#,
            ])
        // Another input shows that the commas are decimal.
        let both = ["lat;lon;n\n1;2;1,234\n", "lat;lon;n\n3;4;2,5\n", "lat,lon,n\n5,6,\"3,5\"\n"]
        let inputs = both.map { InputBytes(Array($0.utf8), name: "t.csv") }
        let declared = try PointTable(reading: inputs, options: types("n:number"))
        #expect(CSVReading.properties(declared) == [#"{"n":1.234}"#, #"{"n":2.5}"#, "{}"])
        #expect(
            declared.report.warnings.map(\.description) == [
                #"1 value of "n" is not a number and is left out, in t.csv:2: "3,5""#
            ])
        let alone = try PointTable(reading: Array(inputs.prefix(1)), options: types("n:number"))
        #expect(alone.report.columns.map(\.content) == [[]])
    }

    @Test func `ids with commas stay as they are`() throws {
        let text = "lat;lon;k\n1;2;7,5\n3;4;7,50\n5;6;7,5\n"
        let table = try CSVReading.table(text, InputOptions(idColumn: "k"))
        #expect(table.report.rowsAccepted == 2)
        #expect(CSVReading.features(table).sorted().map { String($0.prefix(10)) } == [#""id":"7,5""#, #""id":"7,50"#])
    }

    @Test func `decimal commas are summed up, weighed and counted as numbers`() throws {
        let rows = "lat;lon;preis;gewicht;art\n1;2;19,90;2,0;1,5\n1;2;0,10;3;1,50\n1;2;-5;1,0;2,5\n"
        var clustering = ClusteringOptions(maxZoom: 1)
        clustering.weightColumn = "gewicht"
        let pyramid = try BuiltPyramid(
            csv: rows, clustering: clustering,
            clusters: ClusterContentOptions(
                accumulate: ["preis:sum", "preis:max:teuerster"].compactMap { Accumulation($0) },
                countBy: [CategoryCount(name: "art")]))
        let cluster = try #require(try pyramid.clusters(atZoom: 0).first)
        #expect(cluster.properties["point_weight"] == 6)
        #expect(cluster.properties["preis"] == 15)
        #expect(cluster.properties["teuerster"] == 19.9)
        #expect(cluster.properties["art"] == .object(["1.5": 2, "2.5": 1]))
        #expect(PyramidVerifier(tileset: pyramid.directory).verify().findings == [])
    }

    @Test func `points of thousands and other points make a column text, which is told with the first line`() throws {
        func warnings(_ values: String..., options: InputOptions = InputOptions()) throws -> [String] {
            try CSVReading.table("lat;lon;preis\n" + values.map { "1;2;\($0)\n" }.joined(), options).report.warnings
                .map(
                    \.description)
        }
        let told = [#""preis" is text, because it has points of thousands and other points, in t.csv:3: "2.5""#]
        #expect(try warnings("1.631,29", "2.5", "7.5") == told)
        #expect(try warnings("1.631,29", "2,5") == [])
        #expect(try warnings("1.631", "2.5") == [])
        #expect(try warnings("1.631,29", "2.5", "n/a") == [])
        #expect(try warnings("1.631,29", "2.5", options: types("preis:string")) == [])
        let declared = try CSVReading.table(
            "lat;lon;preis\n1;2;1.631,29\n3;4;1.500\n5;6;x\n7;8;2.000.000\n", types("preis:number"))
        #expect(
            CSVReading.properties(declared) == [
                #"{"preis":1631.29}"#, #"{"preis":1500}"#, "{}", #"{"preis":2000000}"#,
            ])
    }

    @Test func `a declared boolean may have the words of other languages`() throws {
        let text =
            "lat,lon,open\n1,2,WAHR\n3,4,falsch\n5,6,ja\n7,8,Nein\n1,1,oui\n2,2,NON\n3,3,vrai\n4,4,Faux\n5,5,sí\n6,6,no\n7,7,1\n"
        let table = try CSVReading.table(text, types("open:boolean"))
        let expected =
            [true, false, true, false, true, false, true, false, true, false].map { #"{"open":\#($0)}"# } + ["{}"]
        #expect(CSVReading.properties(table) == expected)
        #expect(
            table.report.warnings.map(\.description) == [
                #"1 value of "open" is not a boolean and is left out, in t.csv:12: "1""#
            ])
        #expect(try contents("lat,lon,open\n1,2,ja\n") == ["open": "string"])
    }

    private func comparing(_ columns: String...) -> InputOptions {
        var options = InputOptions()
        options.comparedColumns = columns
        return options
    }

    @Test func `words for true and false in a column that options compare are told`() throws {
        func warnings(_ texts: String..., options: InputOptions) throws -> [String] {
            let inputs = texts.map { InputBytes(Array(("lat,lon,open,kind\n" + $0).utf8), name: "t.csv") }
            return try PointTable(reading: inputs, options: options).report.warnings.map(\.description)
        }
        let told = [
            #""open" has words for true and false, such as t.csv:2: "ja"; types open:boolean makes booleans of them"#
        ]
        let rows = "1,2,ja,x\n3,4,,\n5,6,NEIN,y\n"
        let said = try warnings(rows, options: comparing("open"))
        #expect(said == told, "\(said)")
        #expect(try warnings(rows, options: comparing("kind")) == [])
        #expect(try warnings(rows + "7,8,vielleicht,\n", options: comparing("Open")) == [])
        #expect(try warnings("1,2,true,x\n3,4,FALSE,\n", options: comparing("open")) == [])
        #expect(try warnings(rows, "1,2,WAHR,\n", options: comparing("open")) == told)
        var declared = types("open:boolean")
        declared.comparedColumns = ["open"]
        #expect(try warnings(rows, options: declared) == [])
    }

    @Test func `blanks around values that options compare are left out, and told`() throws {
        let csv = "lat,lon,kind,other\n1,2, a , b\n3,4,\"a\t\",b\n5,6,\" \"\"c\"\" \",x \n7,8, 7,1\n"
        let table = try CSVReading.table(csv, comparing("KIND"))
        #expect(
            CSVReading.properties(table) == [
                #"{"kind":"a","other":" b"}"#, #"{"kind":"a","other":"b"}"#, #"{"kind":"\"c\"","other":"x "}"#,
                #"{"kind":"7","other":"1"}"#,
            ])
        #expect(
            table.report.notes.map(\.description) == [
                #"blanks around values that options compare were left out in 4 rows, first in t.csv:2: " a ""#
            ])
        #expect(try contents("lat,lon,n\n1,2, 7\n") == ["n": "string"])
        #expect(try contents("lat,lon,n\n1,2, 7\n", options: comparing("n")) == ["n": "number"])

        let json = [#"" a""#, #""caf\u00e9\t ""#, #"["a "]"#, "7"].map {
            GeoJSONText.feature("[1,2]", #","properties":{"kind":\#($0),"other":" b"}"#)
        }.joined()
        let features = try CSVReading.table(json, comparing("kind"), name: "t.json")
        #expect(
            CSVReading.properties(features) == [
                #"{"kind":"a","other":" b"}"#, #"{"kind":"café\t","other":" b"}"#, #"{"kind":["a "],"other":" b"}"#,
                #"{"kind":7,"other":" b"}"#,
            ])
        #expect(features.report.notes.first?.description.contains("in 2 rows, first in t.json:1") == true)
        #expect(try CSVReading.table(csv).report.notes.isEmpty)
    }

    @Test(arguments: [("9007199254740991", " of up to 15 digits"), ("-1e15", " of up to 15 digits"), ("x", "")])
    func `a number that is too large to be added up is told as such`(value: String, which: String) throws {
        let table = try CSVReading.table("lat;lon;v\n1;1;\(value)\n1;1;1\n")
        let numbers = NumberColumn(try table.column(named: "v", option: .priority), of: table)
        let warning = CountedWarning(
            .notANumber(column: "v", .sum, isBoolean: false), count: numbers.otherCount, first: numbers.firstOther)
        #expect(
            warning?.message.description
                == "1 value of \"v\" is not a number\(which) and is left out of its sum, the first in t.csv:2: \"\(value)\""
        )
    }
}
