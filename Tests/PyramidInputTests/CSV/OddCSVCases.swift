import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// CSV inputs that no program should have written, and their expected outcomes.
enum OddCSVCases {
    private static let one = "-3500000/51250000"
    private static let good = "lat,lon\n51.25,-3.5\n"

    private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        Array(text.utf16).flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    private static func refused(
        _ name: String, _ bytes: [UInt8], _ found: String, _ cure: String? = nil, introduction: String = "convert it"
    ) -> InputCase {
        InputCase(
            name, bytes: bytes,
            "badData: t.csv: is \(found), expected CSV or GeoJSON"
                + (cure.map { "; \(introduction): \($0) t.csv" } ?? ""))
    }

    private static let utf16 = "if it is UTF-16, convert it"
    private static let littleEndian =
        "binary data or UTF-16 without a byte order mark, with a NUL byte at its beginning"
    private static let bigEndian = "binary data or UTF-16 without a byte order mark, beginning with a NUL byte"

    static let encodings: [InputCase] =
        [
            refused(
                "UTF-32, little-endian", [0xff, 0xfe, 0, 0, 0x6c, 0, 0, 0], "text in UTF-32",
                "iconv -f utf-32 -t utf-8"),
            refused(
                "UTF-16, little-endian, without a mark", utf16(good, bigEndian: false), littleEndian,
                "iconv -f utf-16le -t utf-8", introduction: utf16),
            refused(
                "UTF-16, big-endian, without a mark", utf16(good, bigEndian: true), bigEndian,
                "iconv -f utf-16be -t utf-8", introduction: utf16),
            refused(
                "GeoJSON in UTF-16, little-endian", utf16(GeoJSONText.feature(), bigEndian: false), littleEndian,
                "iconv -f utf-16le -t utf-8", introduction: utf16),
            InputCase(
                "NUL bytes alone", bytes: [0, 0],
                "badData: t.csv: is binary data that begins with NUL bytes, expected CSV or GeoJSON; is it the right file?"
            ),
            refused("gzip within gzip", [0x1f, 0x8b, 8, 0], "gzip data within gzip data", "gzip -dc"),
            InputCase(
                "a NUL in the header", "lat,lon,n\0\n51.25,-3.5,x\n",
                "badData: t.csv:1: header has NUL bytes, expected text in UTF-8"),
            InputCase("two marks", "\u{FEFF}\u{FEFF}lat,lon\n51.25,-3.5\n", one),
            InputCase("a mark before quotes", "\u{FEFF}\"lat\",lon\n51.25,-3.5", one),
            InputCase("a mark and empty lines", "\u{FEFF}\n\r\n\(good)", one),
            InputCase(
                "files with marks one after the other", "\u{FEFF}\(good)\u{FEFF}\(good)",
                "\(one), \(one), repeated header 1"),
            InputCase("half a mark", bytes: [0xef, 0xbb], CSVCases.latin1Header),
            InputCase(
                "a byte that never is UTF-8",
                bytes: Array("lat,lon,n\n1,2,".utf8) + [0xfe] + Array("\n51.25,-3.5,x".utf8),
                "\(one), invalid UTF-8 1"),
            InputCase(
                "invalid UTF-8 in a coordinate",
                bytes: Array("lat,lon\n1,2".utf8) + [0xa0] + Array("\n51.25,-3.5".utf8), "\(one), invalid UTF-8 1"),
            InputCase("NUL in a coordinate", "lat,lon\n1,2\0\n51.25,-3.5", "\(one), NUL byte 1"),
            InputCase("NUL as a row", "lat,lon\n\0\n51.25,-3.5", "\(one), NUL byte 1"),
            InputCase("a byte of a terminal at the end", "lat,lon\n51.25,-3.5\n\u{1a}", "\(one), row cut off 1"),
        ]

    static let headers: [InputCase] = [
        InputCase(
            "header only, without a line end", "lat,lon",
            "badData: t.csv: has a header and no rows, expected at least one row"),
        InputCase("empty lines only", "\n\r\n\r\r", "badData: t.csv: is empty, expected a header and rows"),
        InputCase(
            "header and empty lines", "lat,lon\n\n\n",
            "badData: t.csv: has a header and no rows, expected at least one row"),
        InputCase(
            "a blank line only", " \n",
            "usage: t.csv:1: only one column was found, \"column_1\", and its name doesn't say that it has the "
                + "coordinates: \(CSVCases.oneColumn)"),
        InputCase(
            "one row that is bad", "lat,lon\n1\n",
            "badData: t.csv: the only row is not usable (ragged row: 1); first: t.csv:2: row has 1 cell, expected 2, so its "
                + "coordinates are uncertain"),
        InputCase(
            "a line end without quotes", "name,lat,lon\nA\nB,51.25,-3.5\nC,,\n",
            "\(one), missing coordinate 1, ragged row 1"),
        InputCase("names twice", "lat,n,lon,n\n51.25,a,-3.5,b", one),
        InputCase("names without text", ",lat,,lon,\n,51.25,,-3.5,", one),
        InputCase("a delimiter behind the header", "lat,lon,\n51.25,-3.5,\n7,8\n", "\(one), 8000000/7000000"),
        InputCase("delimiters behind all rows", "n,lat,lon\nX,48,11,\nb,51.25,-3.5,\n", "11000000/48000000, \(one)"),
        InputCase(
            "a text that was cut moves an empty cell behind the header",
            "id,n,lat,lon,m\n1,Hof, 12,52.5,13.4,\n2,Ring 4,51.25,-3.5,ok\n3,Weg 7,50.5,10.5,\n",
            "\(one), 10500000/50500000, ragged row 1"),
        InputCase(
            "a number that was cut moves an empty cell behind the header",
            "id,n,lat,lon,m\n1,12,5,52.5,13.4,\n2,3.5,51.25,-3.5,ok\n3,7.25,50.5,10.5,\n",
            "\(one), 10500000/50500000, ragged row 1"),
        InputCase(
            "a row of as many cells as most",
            "id,n,lat,lon,m\n1,12,5,52.5,13.4,\n2,3.5,51.25,-3.5,ok,\n3,7.25,50.5,10.5,,\n",
            "\(one), 10500000/50500000, 52500000/5000000"),
        InputCase(
            "an empty cell that moves the others", "n,lat,lon\n,20.7,10.4,49.8\n30.5,51.25,-3.5\n",
            "\(one), ragged row 1"),
        InputCase(
            "latitude twice", "lat,lat,lon\n1,2,3",
            "usage: t.csv:1: several pairs of columns could be latitude and longitude: \"lat\", \"lon\"; "
                + "\"lat_2\", \"lon\"; choose with latitude column and longitude column"),
        InputCase("latitude twice, chosen", "lat,lat,lon\n1,51.25,-3.5", one, InputOptions(latitudeColumn: "lat_2")),
        InputCase(
            "no header", "51.25,-3.5\n7,8\n",
            "badData: t.csv:1: first line is data (\"51.25\", \"-3.5\"), expected names; "
                + "put a line with 2 names (NAMES) before it: (echo NAMES; cat t.csv)"),
        InputCase(
            "no header, at whole degrees", "11.0,48.0\n7,8\n",
            "badData: t.csv:1: first line is data (\"11.0\", \"48.0\"), expected names; "
                + "put a line with 2 names (NAMES) before it: (echo NAMES; cat t.csv)"),
        InputCase(
            "misspelt coordinates", "lattitude,n,longitud\n1,x,2",
            "usage: t.csv:1: no columns for latitude and longitude among \"lattitude\", \"n\", \"longitud\"; "
                + "name them with latitude column \"lattitude\" and longitude column \"longitud\""),
        InputCase(
            "numbers as names", "2019,2020,90.5\n1,2,3",
            "usage: t.csv:1: no columns for latitude and longitude among \"2019\", \"2020\", \"90.5\"; "
                + "name them with latitude column and longitude column"),
        InputCase("header in quotes over lines", "\"n\nm\",lat,lon\nx,51.25,-3.5", one),
        InputCase(
            "text after a quote in the header", "\"lat\"x,lon\n1,2",
            "usage: t.csv:1: no columns for latitude and longitude among \"\"lat\"x\", \"lon\"; name them with latitude "
                + "column and longitude column"),
        InputCase(
            "a header that is said again", "lat,lon\n51.25,-3.5\nlat,lon\n7,8",
            "\(one), 8000000/7000000, repeated header 1"),
        InputCase(
            "a comment before the header", "# made by hand\nlat,lon\n1,2",
            "usage: t.csv:1: has no columns for latitude and longitude, but line 2 looks like the header (\"lat\", \"lon\"): "
                + "use skip lines 1"),
        InputCase("a line that says the delimiter", "sep=;\nlat;lon\n51.25;-3.5", one),
        InputCase("a delimiter of few", "\u{FEFF}SEP=|\r\n\r\na,b,c|lat|lon\r\nx|51.25|-3.5", one),
        InputCase("a tab in quotes", "\"sep=\t\"\nlat\tlon\n51.25\t-3.5", one),
        InputCase(
            "the line that says the delimiter counts", "sep=;\nlat;lon\n51.25;-3.5;1\n91;2",
            "\(one), coordinate out of range 1"),
        InputCase("a delimiter that is seldom", "sep=^\nlat^lon\n51.25^-3.5", one),
        InputCase(
            "a column sep=;;", "sep=;;\nlat;lon\n1;2",
            "usage: t.csv:1: has no columns for latitude and longitude, but line 2 looks like the header (\"lat\", \"lon\"): "
                + "use skip lines 1"),
        InputCase("nothing behind it", "sep=;\n", "badData: t.csv: is empty, expected a header and rows"),
        InputCase("a blank before the delimiter", "sep= ;\nlat;lon\n51.25;-3.5", one),
        InputCase("a blank after the delimiter", "sep=; \nlat;lon\n51.25;-3.5", one),
        InputCase("blanks all around", "  SEP = ; \r\nlat;lon\r\n51.25;-3.5", one),
        InputCase("blanks in quotes", "\"sep= ; \"\nlat;lon\n51.25;-3.5", one),
        InputCase("blanks around quotes", " \"sep=|\" \nlat|lon\n51.25|-3.5", one),
        InputCase("quotes around the delimiter", "sep=\";\"\nlat;lon\n51.25;-3.5", one),
        InputCase("a tab among blanks", "sep= \t \nlat\tlon\n51.25\t-3.5", one),
        InputCase(
            "no delimiter", "\nsep= \nlat,lon\n1,2",
            "usage: t.csv:2: has no columns for latitude and longitude, but line 3 looks like the header (\"lat\", \"lon\"): "
                + "use skip lines 2"),
        InputCase("a longer name that begins so", "sep=x,lat,lon\n1,51.25,-3.5", one),
        // One column that has both coordinates.
        InputCase("a space as the delimiter", "lat lon\n51.25 -3.5", one),
        InputCase(
            "spaces as delimiters", "n lat lon\nx 1 2",
            "usage: t.csv:1: \" \" seems to separate the columns (\"n\", \"lat\", \"lon\"): use delimiter ' '"),
        InputCase(
            "a space that is named", "n lat lon\n\"x y\" 51.25 -3.5", one, InputOptions(delimiter: " ")),
        InputCase("rows of another delimiter", "lat,lon\n51.25;-3.5\n7,8", "8000000/7000000, ragged row 1"),
        InputCase(
            "a quote that is closed by a single one", "n,lat,lon\n\"a',1,2\nb,51.25,-3.5",
            "2000000/1000000, \(one)"),
        InputCase(
            "a backslash before a quote", "n,lat,lon\n\"a\\\"b\",1,2\nb,51.25,-3.5", "2000000/1000000, \(one)"),
    ]

    static let numbers: [InputCase] =
        [
            ("1.5e1,-2E0", "-2000000/15000000"), ("+.5,+5", "5000000/500000"), ("-.5,-5.", "-5000000/-500000"),
            ("00000000000000000000000000000000000000000000000000000000051.25,-3.5", one),
            ("51.2500000000000000000000000000000000000000000000000000000000,-3.5", one),
            ("51.2499995,-3.5", one),
            ("51.2499994999999999999999999999999999999999999999999999999999999,0", "0/51249999"),
            ("5125000000000000000000000000000000000000000000000000000000e-56,-3.5", one),
            ("1e-99999999999999999999,-0.0", "0/0"), ("0e400,0", "0/0"), ("90.0,-180.0", "-180000000/90000000"),
            ("-90.0000,180.000000", "-180000000/-90000000"), ("\"51.25\",\" -3.5 \"", one),
        ].map { InputCase($0.0, "lat,lon\n\($0.0)\n", $0.1) }
        + [
            "-NaN", "Infinity", "-inf", "+inf", "0x10", "0x1p3", "0b1", "0o7", "1d1", "1e1.5", "1e1e1", "e1",
            ".e1",
            "+", "+-1", "1-", "1+1", "1_000", "1'000", "1 000", "1\u{a0}000", "\u{ff11}", "\u{0661}",
            "1%", "45\u{b0}60'N", "E45.5", "-45.5N", "45 30 36", "45d30m36s", "true", "nil", "NAN1",
            "#REF!", "one", "1.2.3",
            "1..2", "1f", "1L", "=1", "'1", "1;2", "0x", "\u{221e}", "\u{200b}1",
        ].map { InputCase("latitude \($0)", "lat,lon\n\"\($0)\",1\n51.25,-3.5", "\(one), unreadable coordinate 1") }
        + [
            "91", "-90.0000005", "180", "360", "1e400", "-1e400", "1e99999999999999999999",
            "9999999999999999999999999999999",
            "123456789012345678901234567890123456789012345678901234567890", "4807039.5",
            "90.00000050000000000000000000000000000001",
        ].map { InputCase("latitude \($0)", "lat,lon\n\($0),1\n51.25,-3.5", "\(one), coordinate out of range 1") }
        + [
            "361", "-361", "-360.0000005", "360.0000005", "1e3", "18446744073709551616", "-9223372036854775809",
        ].map { InputCase("longitude \($0)", "lat,lon\n1,\($0)\n51.25,-3.5", "\(one), coordinate out of range 1") }
        + [
            InputCase(
                "longitudes up to 360", "lat,lon\n1,181\n2,360\n3,180.0000005\n4,359.9999996",
                "-179000000/1000000, 0/2000000, -179999999/3000000, 0/4000000"),
            InputCase(
                "longitudes down to -360", "lat,lon\n1,-181\n2,-360\n3,-180.0000005",
                "179000000/1000000, 0/2000000, 179999999/3000000"),
            InputCase(
                "words for no coordinate", "lat,lon\nnan,1\nNULL,NULL\nNA,1\n1,n/a\nNone,2\n\\N,\\N\n51.25,-3.5",
                "\(one), missing coordinate 6"),
            InputCase(
                "decimal commas in quotes", "lat,lon\n\"51,25\",\"-3,5\"\n51.25,-3.5", "\(one), \(one)"
            ),
            InputCase(
                "decimal commas behind semicolons", "lat;lon\n51,25;-3,5\n51.25;+07,\n,5;-1,5e1\n1.234,5;1\n1,234,5;1",
                "\(one), 7000000/51250000, -15000000/500000, unreadable coordinate 2"),
            InputCase(
                "decimal commas out of range", "lat\tlon\n90,0000005\t1\n51,2499995\t-3,5\n1\t-360,000001",
                "\(one), coordinate out of range 2"),
            InputCase("decimal commas without quotes", "lat,lon\n51,25,-3,5\n51.25,-3.5", "\(one), ragged row 1"),
        ]

    /// Lines above the header.
    static let preambles: [InputCase] = [
        InputCase("no line is skipped", "lat,lon\n51.25,-3.5", one, InputOptions(skipLines: 0)),
        InputCase("two lines", "Shops, 2026\nlat,lon\nlat,lon\n51.25,-3.5", one, InputOptions(skipLines: 2)),
        InputCase("lines of other ends", "a\r\nb\rlat,lon\n51.25,-3.5", one, InputOptions(skipLines: 2)),
        InputCase("empty lines are lines", "\n\r\n\rlat,n,lon\nlat,lon\n51.25,-3.5", one, InputOptions(skipLines: 4)),
        InputCase(
            "a mark, and quotes that never close", "\u{FEFF}\"a\n\"b\nlat,lon\n51.25,-3.5", one,
            InputOptions(skipLines: 2)),
        InputCase("sep= below them", "Shops\nsep= ;\nlat;lon\n51.25;-3.5", one, InputOptions(skipLines: 1)),
        InputCase("sep= among them", "sep=|\nlat;lon\n51.25;-3.5", one, InputOptions(skipLines: 1)),
        InputCase(
            "an option counts more than sep=", "a\n\nsep=^\nlat;lon\n51.25;-3.5", one,
            InputOptions(delimiter: ";", skipLines: 1)),
        InputCase(
            "messages keep the lines of the file", "a\nb\n\nlat,lon\n51.25,x\n",
            "badData: t.csv: the only row is not usable (unreadable coordinate: 1); first: t.csv:5: longitude is \"x\", "
                + "expected degrees from -180 to 180", InputOptions(skipLines: 2)),
        InputCase(
            "the header's line", "a\nb\nc,d",
            "usage: t.csv:3: no columns for latitude and longitude among \"c\", \"d\"; "
                + "name them with latitude column and longitude column", InputOptions(skipLines: 2)),
        InputCase(
            "more than there are", "lat,lon\n1,2\n3,4\n",
            "usage: t.csv: has no header after the lines that skip lines 5 skips",
            InputOptions(skipLines: 5)),
        InputCase(
            "more than the only one", "lat,lon", "usage: t.csv: has no header after the lines that skip lines 2 skips",
            InputOptions(skipLines: 2)),
        InputCase(
            "all of them", "lat,lon\n1,2\n", "usage: t.csv: has no header after the lines that skip lines 2 skips",
            InputOptions(skipLines: 2)),
        InputCase(
            "all but empty ones", "lat,lon\n1,2\n\n\n",
            "usage: t.csv: has no header after the lines that skip lines 2 skips",
            InputOptions(skipLines: 2)),
    ]
}
