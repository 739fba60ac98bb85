import Foundation
import Testing

/// A file as people bring it, and what a build must make of it.
struct FieldFile: CustomTestStringConvertible {
    enum Outcome {
        /// - Parameters:
        ///   - places: as longitude/latitude in microdegrees, in any order.
        ///   - skipped: how many rows are skipped.
        ///   - says: what standard error must have.
        case points(_ places: [String], skipped: Int = 0, says: [String] = [])
        /// Exits with 65 or 64, says this, and writes nothing.
        case refused(says: [String])
    }

    let name: String
    /// Of one input, or of several.
    let contents: [Data]
    let arguments: [String]
    let outcome: Outcome

    init(_ name: String, _ contents: Data..., arguments: [String] = [], comesTo outcome: Outcome) {
        (self.name, self.contents, self.arguments, self.outcome) = (name, contents, arguments, outcome)
    }

    init(_ name: String, _ contents: String..., arguments: [String] = [], comesTo outcome: Outcome) {
        self.name = name
        self.contents = contents.map { Data($0.utf8) }
        (self.arguments, self.outcome) = (arguments, outcome)
    }

    var testDescription: String { name + arguments.map { " \($0)" }.joined() }

    fileprivate static let quotes = "quotes that don't enclose a cell were read as text in"
}

// MARK: Quotes

extension FieldFile {
    private static let sixPlaces = (1...6).map { "11\($0)00000/48\($0)00000" }

    /// Cells that begin or end with a quote by chance.
    static let oddQuotes: [FieldFile] = [
        FieldFile(
            "gn_quote2.tsv",
            """
            geonameid\tname\tlatitude\tlongitude\tcountry
            1\tAlpha\t48.100\t11.100\tDE
            2\t"Hut\t48.200\t11.200\tDE
            3\tGamma\t48.300\t11.300\tDE
            4\tDelta\t48.400\t11.400\tDE
            5\tCamp 6"\t48.500\t11.500\tDE
            6\tZeta\t48.600\t11.600\tDE

            """, comesTo: .points(sixPlaces, says: ["\(quotes) 1 row", "gn_quote2.tsv:3"])),
        FieldFile(
            "gn_quote.tsv",
            """
            geonameid\tname\tasciiname\tlatitude\tlongitude\tcountry
            1\tAlpha\tAlpha\t48.100\t11.100\tDE
            2\t"Hut\t"Hut\t48.200\t11.200\tDE
            3\tGamma\tGamma\t48.300\t11.300\tDE
            4\tDelta\tDelta\t48.400\t11.400\tDE
            5\tCamp 6"\tCamp 6"\t48.500\t11.500\tDE
            6\tZeta\tZeta\t48.600\t11.600\tDE

            """, comesTo: .points(sixPlaces, says: ["\(quotes) 1 row", "gn_quote.tsv:3"])),
        FieldFile(
            "the last column, the last row, CRLF and semicolons.csv",
            "latitude;longitude;name\r\n48.1;11.1;\"A\r\n48.2;11.2;B\r\n48.3;11.3;C\"\r\n48.4;11.4;D\r\n48.5;11.5;\r\n48.6;11.6;\"F",
            comesTo: .points(sixPlaces, says: ["\(quotes) 2 rows"])),
        FieldFile(
            "several odd rows one after the other, CR and bars.csv",
            "name|latitude|longitude\r\"A|48.1|11.1\r\"B|48.2|11.2\rC\"|48.3|11.3\r\"D|48.4|11.4\r\"E\"|48.5|11.5\rF\"|48.6|11.6\r",
            comesTo: .points(sixPlaces, says: ["\(quotes) 3 rows"])),
        FieldFile(
            "a stray quote in the header.csv",
            "name,latitude,longitude,\"note\nA,48.1,11.1,x\nB,48.2,11.2,y\"\nC,48.3,11.3,z\nD,48.4,11.4,z\nE,48.5,11.5,z\nF,48.6,11.6,z\n",
            comesTo: .points(sixPlaces, says: ["quotes"])),
        FieldFile(
            "quotes that are cells.csv",
            "name,latitude,longitude,note\nA,48.1,11.1,\"\nB,48.2,11.2,\"\n\",48.3,11.3,d\n\"\",48.4,11.4,\"\"\nE,48.5,11.5,\"\nF,48.6,11.6,",
            comesTo: .points(sixPlaces, says: ["quotes"])),
    ]

    /// Odd quotes in rows that lack cells, or have one to spare.
    static let oddQuotesInOddRows: [FieldFile] = [
        FieldFile(
            "rows without their last cells.tsv",
            "name\tlat\tlon\tphone\tnote\n\"A\t48.1\t11.1\t\nB\t48.2\t11.2\t\nC\"\t48.3\t11.3\nD\t48.4\t11.4\t\nE\t48.5\t11.5\t\nF\t48.6\t11.6\t\n",
            comesTo: .points(sixPlaces, says: ["\(quotes) 1 row", "6 rows have fewer cells"])),
        FieldFile(
            "rows with a spare cell.csv",
            "name,lat,lon\n\"A,48.1,11.1,x\nB,48.2,11.2,x\nC\",48.3,11.3,x\nD,48.4,11.4\nE,48.5,11.5\nF,48.6,11.6\n",
            comesTo: .points(sixPlaces, says: ["\(quotes) 1 row", "3 rows have more cells"])),
        FieldFile(
            "a short row with a cell of two lines.csv",
            "name,lat,lon,phone,note\n\"a\nb\",48.1,11.5\nC,52.5,13.4,1,x\n",
            comesTo: .points(["11500000/48100000", "13400000/52500000"], says: ["1 row has fewer cells"])),
        FieldFile(
            "a stray quote in the header over short rows.csv",
            "name,lat,lon,\"note,kind\nA,48.1,11.5\nB,52.5,13.4,y\"\nC,48.6,11.6,z,k\n",
            comesTo: .points(["11500000/48100000", "13400000/52500000", "11600000/48600000"], says: ["quotes"])),
        FieldFile(
            "a stray quote in the header over a row that is not UTF-8.csv",
            Data("name,lat,lon,\"note\nCaf".utf8) + [0xe9]
                + Data(",1,2,x\nB,48.1,11.5,y\"\nC,52.5,13.4,z\n".utf8),
            comesTo: .points(["11500000/48100000", "13400000/52500000"], skipped: 1, says: ["quotes", "UTF-8"])),
    ]

    /// As dumps of GBIF have them: a remark that begins with a quote, and another one rows later that ends with one.
    static let long: [FieldFile] = {
        var places: [String] = []
        let rows = (0..<2_000).map { index -> String in
            let (latitude, longitude) = (48_000_000 + 500 * index, 11_000_000 + 300 * (index * 7 % 2_000))
            places.append("\(longitude)/\(latitude)")
            func degrees(_ microdegrees: Int) -> String {
                "\(microdegrees / 1_000_000)." + String(microdegrees % 1_000_000 + 1_000_000).dropFirst()
            }
            let remark = index % 97 == 0 ? "\"seen at dusk" : index % 97 == 40 ? "pipe of 6\"" : ""
            let locality = index % 211 == 5 ? "\"Old mill\" bridge" : "Plot \(index % 50)"
            return "\(index)\tParus major\t\(degrees(latitude))\t\(degrees(longitude))\t\(remark)\t\(locality)\n"
        }
        let header = "gbifID\tspecies\tdecimalLatitude\tdecimalLongitude\toccurrenceRemarks\tlocality\n"
        // 21 remarks and 10 localities begin with a quote.
        return [
            FieldFile(
                "gbif_2000.tsv", header + rows.joined(),
                comesTo: .points(
                    places, says: ["2,000 read, 2,000 accepted, 0 skipped", "\(quotes) 31 rows", "gbif_2000.tsv:2"]))
        ]
    }()

    /// Cells that quotes enclose.
    static let wellFormed: [FieldFile] = [
        FieldFile(
            "align.csv", "name , lat , lon\n\"A\" , 48.1 , 11.5\n \"B, C\" , 52.5 , 13.4\n",
            comesTo: .points(["11500000/48100000", "13400000/52500000"])),
        FieldFile(
            "descriptions of several lines.csv",
            """
            name,lat,lon,text
            "A
            B",1,2,"a list:

            - one, two
            - ""three"", 4, 5
            "
            C,3,4,"
            x, y"
            "D","5","6",""

            """, comesTo: .points(["2000000/1000000", "4000000/3000000", "6000000/5000000"])),
        FieldFile(
            "a short row with a quoted comma.csv", "name,lat,lon,a,b\n\"Hut, the\",48.3,11.5,1\nx,1.5,2.5,z,\n",
            comesTo: .points(["11500000/48300000", "2500000/1500000"], says: ["1 row has fewer cells"])),
        FieldFile(
            "quotes beside others.csv",
            "id,name,lat,lon\n\"2\",\"5\" pipe\",\"48.2\",\"11.3\"\n\"3\",\"x\",\"1.5\",\"2.5\"\n",
            comesTo: .points(["11300000/48200000", "2500000/1500000"], says: ["\(quotes) 1 row"])),
        FieldFile(
            "a pasted table.csv", "name,lat,lon\n\"p\n1,2,3\n4,5,6\n\",1.5,2.5\nB,2.5,3.5\n",
            arguments: ["--quotes", "csv"],
            comesTo: .points(["2500000/1500000", "3500000/2500000"])),
        FieldFile(
            "quotes as text.csv", "name,lat,lon\n\"A,1.5,2.5\nB\",2.5,3.5\n", arguments: ["--quotes", "none"],
            comesTo: .points(["2500000/1500000", "3500000/2500000"])),
        FieldFile(
            "mysql.csv",
            #"""
            "id","name","lat","lon"
            "1","Joe\"s, Bar","48.1","11.5"
            "2","B","52.5","13.4"
            "3","C \\","52.6","13.5"

            """#, comesTo: .points(["13400000/52500000", "13500000/52600000"], skipped: 1, says: ["backslashes"])),
        FieldFile(
            "a backslash in every row.csv",
            "\"id\",\"name\",\"lat\",\"lon\"\n"
                + (0..<9).map { "\"\($0)\",\"Joe\\\"s, Bar\",\"48.\($0)\",\"11.5\"\n" }.joined(),
            comesTo: .refused(says: ["backslashes"])),
        FieldFile(
            "semis_in_one_col.csv", "\"name;lat;lon\"\n\"A;48,1;11,5\"\n\"B;52,5;13,4\"\n",
            comesTo: .refused(says: ["every line is one cell in quotes", "semicolons"])),
    ]
}

// MARK: Shapes of rows

extension FieldFile {
    static let rows: [FieldFile] = [
        FieldFile(
            "excel_short.csv",
            "name,lat,lon,phone,note\n" + (0..<10).map { "A\($0),48.\($0),11.5\($0 < 3 ? ",1,x" : "")\n" }.joined(),
            comesTo: .points(
                (0..<10).map { "11500000/48\($0)00000" }, says: ["7 rows have fewer cells", "excel_short.csv:5"])),
        FieldFile(
            "a last row that was cut off.csv", "name,lat,lon,note\nA,1.5,2.5,x\nB,2.5,3.5",
            comesTo: .points(["2500000/1500000"], skipped: 1, says: ["cut off"])),
        FieldFile(
            "short rows without an id.csv", "lat,lon,id,kind\n1.5,2.5,6\n2.5,3.5,7\n3.5,4.5,8,x\n",
            arguments: ["--id-column", "id", "--filter-by", "kind"],
            comesTo: .points(
                ["2500000/1500000", "3500000/2500000", "4500000/3500000"], says: ["2 rows have fewer cells"])),
        FieldFile(
            "hdr_trail.csv", "name,lat,lon,\nA,48.1,11.5\nB,52.5,13.4\n",
            comesTo: .points(["11500000/48100000", "13400000/52500000"], says: ["columns   name string\n"])),
        FieldFile(
            "spare cells.csv", "name,lat,lon\nA,1.5,2.5,,,\nB,2.5,3.5,x\n",
            comesTo: .points(["2500000/1500000", "3500000/2500000"], says: ["1 row has more cells"])),
        FieldFile(
            "r_rownames.tsv", "\"name\"\t\"lat\"\t\"lon\"\n\"1\"\t\"A\"\t48.1\t11.5\n\"2\"\t\"B\"\t52.5\t13.4\n",
            comesTo: .refused(says: ["one less than the rows", "write.table", "printf 'row\\t'"])),
        FieldFile(
            "preamble.csv", "Station report 2024\nGenerated by logger 5\nname,lat,lon\nA,48.1,11.5\nB,52.5,13.4\n",
            comesTo: .refused(says: ["line 3", "--skip-lines 2"])),
        FieldFile(
            "preamble.csv", "Station report 2024\nGenerated by logger 5\nname,lat,lon\nA,48.1,11.5\nB,52.5,13.4\n",
            arguments: ["--skip-lines", "2"], comesTo: .points(["11500000/48100000", "13400000/52500000"])),
        FieldFile(
            "a delimiter that the file states.csv", "sep = ;\nname;lat;lon\nA;48,1;11,5\n",
            comesTo: .points(["11500000/48100000"])),
        FieldFile(
            "erddap.csv",
            """
            time,latitude,longitude,sst
            UTC,degrees_north,degrees_east,degree_C
            2024-01-01T00:00:00Z,10.5,205.25,NaN
            2024-01-01T00:00:00Z,11.5,254.75,27.2
            2024-01-01T00:00:00Z,12.5,160.0,27.9

            """,
            comesTo: .points(
                ["-154750000/10500000", "-105250000/11500000", "160000000/12500000"], skipped: 1,
                says: ["row of units", "2 longitudes over 180"])),
        FieldFile(
            "too many bad rows.csv", "name,lat,lon\nA,x,1\nB,y,2\nC,3,4\n",
            comesTo: .refused(says: ["skipped 2 of 3 rows", "--max-skipped 67%"])),
        FieldFile(
            "too many bad rows.csv", "name,lat,lon\nA,x,1\nB,y,2\nC,3,4\n", arguments: ["--max-skipped", "67%"],
            comesTo: .points(["4000000/3000000"], skipped: 2)),
        FieldFile(
            "exactly a tenth is bad.csv",
            "name,lat,lon\n" + (0..<18).map { "A,\($0),1\n" }.joined() + "B,x,1\nB,y,1\nC,,\nC,,\nC,,\n",
            comesTo: .points((0..<18).map { "1000000/\($0)000000".replacing("/0000000", with: "/0") }, skipped: 5)),
        FieldFile(
            "just more than a tenth is bad.csv",
            "name,lat,lon\n" + (0..<17).map { "A,\($0),1\n" }.joined() + "B,x,1\nB,y,1\nC,,\nC,,\nC,,\n",
            comesTo: .refused(says: ["skipped 2 of 19 rows", "3 more don't count"])),
    ]
}

// MARK: Coordinates

extension FieldFile {
    private static let newYork = ["-74006000/40712800", "-73990000/40720000"]
    private static let twoTowns = ["11500000/48100000", "13400000/52500000"]
    private static let lonLat = "id,coordinates\n1,\"-122.43, 37.79\"\n2,\"-122.41, 37.75\"\n"

    static let notations: [FieldFile] = [
        FieldFile(
            "degsuffix.csv", "name,lat,lon\nA,40.7128° N,74.0060° W\nB,40.72° N,73.99° W\n", comesTo: .points(newYork)),
        FieldFile(
            "dms.csv",
            "name,lat,lon\nA,\"40°26'46\"\"N\",\"79°58'56\"\"W\"\nB,40°26′46″N,79°58′56″W\nC,N 40 26 46,W 79:58:56\n",
            comesTo: .points([String](repeating: "-79982222/40446111", count: 3))),
        FieldFile(
            "nbsp.csv", "name,lat,lon\nA,40.7128\u{a0},-74.0060\nB,\u{a0}40.72,\u{2212}73.99\n",
            comesTo: .points(newYork)),
        FieldFile(
            "deccomma_q.csv", "POLYID,X,Y\n1,\"11,5761\",\"48,1374\"\n2,\"13,4050\",\"52,5200\"\n",
            comesTo: .points(["11576100/48137400", "13405000/52520000"])),
        FieldFile(
            "O.csv", "name,lat,lon\nA,48.1 N,11.5 O\n", comesTo: .refused(says: ["O is east in German and west"])),
        FieldFile(
            "lon360mix.csv",
            "time,latitude,longitude\n"
                + (0..<100).map { "t,\($0 - 40).0,\($0 * 36 / 10).\($0 * 36 % 10)\n" }.joined(),
            comesTo: .points(
                (0..<100).map { "\($0 * 3_600_000 - ($0 < 50 ? 0 : 360_000_000))/\(($0 - 40) * 1_000_000)" },
                says: ["49 longitudes over 180", "360 less", "lon360mix.csv:53"])),
        FieldFile(
            "longitudes over 180 and negative ones.csv", "n,lat,lon\nA,1.5,200\nB,1.5,-20\n",
            comesTo: .points(
                ["-160000000/1500000", "-20000000/1500000"], says: ["warning: some longitudes are negative"])),
        FieldFile(
            "pt_array.csv", "id,coordinates\n1,\"[11.5755, 48.1372]\"\n2,\"[13.405, 52.52]\"\n",
            comesTo: .points(["11575500/48137200", "13405000/52520000"], says: ["longitude first"])),
        FieldFile(
            "pt_lonlat2.csv", lonLat,
            comesTo: .refused(says: ["longitude seems to stand first", "coordinates:lon-lat"])),
        FieldFile(
            "pt_lonlat2.csv", lonLat, arguments: ["--point-column", "coordinates:lon-lat"],
            comesTo: .points(["-122430000/37790000", "-122410000/37750000"])),
        FieldFile(
            "arrays with the latitude first.csv", "id,coordinates\n1,\"[37.79, -122.43]\"\n2,\"[37.75, -122.41]\"\n",
            comesTo: .refused(says: ["coordinates:lat-lon"])),
        FieldFile(
            "carto2.csv",
            """
            cartodb_id,the_geom,name
            1,0101000020E61000005C8FC2F5281C2740B81E85EB51884840,A
            2,0101000020E61000008FC2F5285CCF2A40C3F5285C8F424A40,B

            """, comesTo: .points(["11555000/49065000", "13405000/52520000"])),
        FieldFile(
            "another SRID.csv", "id,the_geom\n1,0101000020110F00005C8FC2F5281C2740B81E85EB51884840\n",
            comesTo: .refused(says: ["3857", "ST_Transform"])),
        FieldFile(
            "json_pt.csv",
            "id,geom\n1,\"{\"\"type\"\":\"\"Point\"\",\"\"coordinates\"\":[11.5,48.1]}\"\n"
                + "2,\"{\"\"type\"\":\"\"Point\"\",\n\"\"coordinates\"\":[13.4,52.5]}\"\n", comesTo: .points(twoTowns)),
        FieldFile(
            "socrata_loc.csv",
            "id,Location 1\n1,\"100 MAIN ST\nBALTIMORE, MD\n(39.2904, -76.6122)\"\n2,\"200 ELM ST\n\nBALTIMORE, MD\n(39.3004, -76.6022)\"\n",
            comesTo: .points(["-76612200/39290400", "-76602200/39300400"])),
        FieldFile(
            "sf_bike3.csv",
            """
            OBJECTID,ADDRESS,LAT,LON,point
            1,10 Elm St,,,"(37.79653347912768, -122.43760157990143)"
            2,20 Oak St,,,"(37.7534660999798, -122.41671916091612)"

            """,
            comesTo: .points(
                ["-122437602/37796533", "-122416719/37753466"], says: ["read from \"point\"", "empty in every row"])),
        FieldFile(
            "census.txt",
            "USPS\tGEOID\tNAME\tALAND\tINTPTLAT\tINTPTLONG                    \n"
                + "AL\t01001\tAutauga County\t1539634184\t32.532237\t-86.64644           \n"
                + "AL\t01003\tBaldwin County\t4117656514\t30.659218\t-87.746067          \n",
            comesTo: .points(["-86646440/32532237", "-87746067/30659218"])),
        FieldFile("Breite und Länge.csv", "Name;Breite;Länge\nA;48,1;11,5\nB;52,5;13,4\n", comesTo: .points(twoTowns)),
        FieldFile(
            "numbers with decimal commas.csv", "name;lat;lon;preis\nA;48.1;11.5;3,50\nB;52.5;13.4;4\n",
            comesTo: .points(twoTowns, says: ["preis number"])),
        FieldFile(
            "thousands.csv", "name;lat;lon;preis\nA;48.1;11.5;3,500\nB;52.5;13.4;14,250\n",
            comesTo: .points(twoTowns, says: ["preis string"])),
        FieldFile(
            "latin1.csv", Data("name,lat,lon\nCaf".utf8) + [0xe9] + Data(",48.1,11.5\n".utf8),
            arguments: ["--encoding", "windows-1252"], comesTo: .points(["11500000/48100000"])),
        FieldFile(
            "latin1.csv", Data("name,lat,lon\nCaf".utf8) + [0xe9] + Data(",48.1,11.5\n".utf8),
            comesTo: .refused(says: ["--encoding windows-1252", "iconv"])),
    ]
}

// MARK: GeoJSON

extension FieldFile {
    private static func feature(_ coordinates: String, _ properties: String = "{}", _ more: String = "") -> String {
        "{\"type\":\"Feature\",\"properties\":\(properties)\(more),"
            + "\"geometry\":{\"type\":\"Point\",\"coordinates\":\(coordinates)}}"
    }

    private static func collection(_ features: String..., more: String = "") -> String {
        "{\"type\":\"FeatureCollection\"\(more),\"features\":[\(features.joined(separator: ","))]}"
    }

    private static func extract(_ name: String, _ longitude: Int) -> String {
        let features = (1...5).map { feature("[\(longitude).\($0),48]", "{\"n\":\"\(name)\($0)\"}", ",\"id\":\($0)") }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
    }

    private static let tenPlaces = [11, 21].flatMap { east in (1...5).map { "\(east)\($0)00000/48000000" } }

    static let geoJSON: [FieldFile] = [
        FieldFile(
            "ids_a.geojson", extract("a", 11), extract("b", 21),
            comesTo: .points(
                tenPlaces, says: ["5 ids stand in several features", "10 points have no id", "--id-column"])),
        FieldFile(
            "ids_a.geojson", extract("a", 11), extract("b", 21), arguments: ["--id-column", "n"],
            comesTo: .points(tenPlaces)),
        FieldFile(
            "one id in three spellings.geojson",
            ["7", "\"7\"", "7.0", "8"].enumerated().map { feature("[1\($0),5]", "{}", ",\"id\":\($1)") + "\n" }
                .joined(),
            comesTo: .points(
                (0..<4).map { "1\($0)000000/5000000" },
                says: ["1 id stands in several features", "3 points have no id"])),
        FieldFile(
            "nan.geojson",
            collection(feature("[11.5,48.1]", "{\"v\":NaN}"), feature("[13.4,52.5]", "{\"v\":-Infinity}")),
            comesTo: .points(twoTowns, says: ["2 rows have properties", "NaN", "Infinity"])),
        FieldFile(
            "dupkeys.geojson",
            collection(
                feature("[11.5,48.1]", #"{"name":"A","na\u006de":"B","o":{"x":1,"x":2}}"#),
                feature("[13.4,52.5]", #"{"name":"C"}"#)),
            comesTo: .points(twoTowns, says: ["twice", "\"name\"", "last value counts"])),
        FieldFile(
            "bare_points.geojsonl",
            "{\"type\":\"Point\",\"coordinates\":[11.5,48.1]}\n{\"coordinates\":[13.4,52.5,7],\"type\":\"Point\"}\n",
            comesTo: .points(twoTowns)),
        FieldFile(
            "etl.geojson",
            collection(feature("[11.5,48.1]"), more: ",\"properties\":{\"exceededTransferLimit\":true}"),
            comesTo: .points(["11500000/48100000"], says: ["warning: ", "not complete", "exceededTransferLimit"])),
        FieldFile(
            "multipoints_only.geojson",
            collection(
                feature("[[11.5,48.1],[11.6,48.2]]").replacing("\"Point\"", with: "\"MultiPoint\""),
                feature("[[13.5,52.1],[13.6,52.2]]").replacing("\"Point\"", with: "\"MultiPoint\"")),
            comesTo: .refused(says: ["MultiPoint", "-explodecollections"])),
        FieldFile(
            "strcoords.geojson", collection(feature("[\"11.5\",\"48.1\"]"), feature("[\"13.4\",\"52.5\"]")),
            comesTo: .refused(says: ["coordinates are strings"])),
        FieldFile(
            "esri.json",
            """
            {"objectIdFieldName":"OBJECTID","geometryType":"esriGeometryPoint","spatialReference":{"wkid":4326},\
            "features":[{"attributes":{"OBJECTID":1},"geometry":{"x":11.5,"y":48.1}}]}
            """, comesTo: .refused(says: ["Esri JSON", "ogr2ogr"])),
        FieldFile(
            "overpass.json",
            """
            {"version":0.6,"generator":"Overpass API","elements":[{"type":"node","id":1,"lat":1.5,"lon":2.5}]}
            """, comesTo: .refused(says: ["Overpass JSON", "jq"])),
        FieldFile(
            "a missing comma.geojson", collection(feature("[1,2]") + "\n" + feature("[3,4]")),
            comesTo: .refused(says: ["no comma between features 1 and 2"])),
    ]

    static let others: [FieldFile] = [
        FieldFile(
            "lfs.csv",
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n",
            comesTo: .refused(says: ["Git LFS", "git lfs pull"])),
        FieldFile(
            "blanks between columns.txt", "name   lat    lon\nA      1.5    2.5\n",
            comesTo: .refused(says: ["blanks separate the columns"])),
        FieldFile(
            "stopsfirst.zip", stops, comesTo: .refused(says: ["ZIP archive", "stops.txt", "transfers.txt", "unzip -p"])),
    ]

    /// An archive of `stops.txt` and `transfers.txt`.
    private static let stops =
        Data(
            base64Encoded: """
                UEsDBBQAAAAAACVreV25vQU4KgAAACoAAAAJAAAAc3RvcHMudHh0c3RvcF9pZCxzdG9wX2xhdCxzdG9wX2xvbgoxLDQ4LDExCjIs
                NTIsMTMKUEsDBBQAAAAAACVreV08nioeMgAAADIAAAANAAAAdHJhbnNmZXJzLnR4dGZyb21fc3RvcF9pZCx0b19zdG9wX2lkLHRy
                YW5zZmVyX3R5cGUKMSwyLDAKMiwxLDIKUEsBAhQDFAAAAAAAJWt5Xbm9BTgqAAAAKgAAAAkAAAAAAAAAAAAAAIABAAAAAHN0b3Bz
                LnR4dFBLAQIUAxQAAAAAACVreV08nioeMgAAADIAAAANAAAAAAAAAAAAAACAAVEAAAB0cmFuc2ZlcnMudHh0UEsFBgAAAAACAAIA
                cgAAAK4AAAAAAA==
                """, options: .ignoreUnknownCharacters) ?? Data()
}
