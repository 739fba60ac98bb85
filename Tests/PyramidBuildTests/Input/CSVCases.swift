import Testing

@testable import PyramidBuild

/// An input and what comes of it, in the notation of `CSVReading.outcome`.
struct CSVCase: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let options: InputOptions
    let outcome: String

    init(_ name: String, _ text: String, _ outcome: String, _ options: InputOptions = InputOptions()) {
        self.init(name, bytes: Array(text.utf8), outcome, options)
    }

    init(_ name: String, bytes: [UInt8], _ outcome: String, _ options: InputOptions = InputOptions()) {
        self.name = name
        self.bytes = bytes
        self.options = options
        self.outcome = outcome
    }

    var testDescription: String { name }

    private static let one = "-3500000/51250000"

    static let shapes: [CSVCase] = [
        CSVCase("plain", "lat,lon\n51.25,-3.5\n", one),
        CSVCase("no line end at the end", "lat,lon\n51.25,-3.5", one),
        CSVCase("CRLF", "lat,lon\r\n51.25,-3.5\r\n", one),
        CSVCase("lone CR", "lat,lon\r51.25,-3.5\r7,8", "\(one), 8000000/7000000"),
        CSVCase("mixed line ends", "lat,lon\r51.25,-3.5\n7,8\r\n9,-1", "\(one), 8000000/7000000, -1000000/9000000"),
        CSVCase("empty lines are no rows", "\n\r\nlat,lon\n\n51.25,-3.5\n\n\n", one),
        CSVCase("a line of blanks is a row", "lat,lon\n  \n51.25,-3.5", "\(one), ragged row 1"),
        CSVCase("byte order mark", "\u{FEFF}lat,lon\n51.25,-3.5", one),
        CSVCase("semicolon", "lat;lon\n51.25;-3.5", one),
        CSVCase("tab", "lat\tlon\n51.25\t-3.5", one),
        CSVCase("bar", "lat|lon\n51.25|-3.5", one),
        CSVCase("delimiters within quotes don't count", "\"a,b,c,d\";lat;lon\nx;51.25;-3.5", one),
        CSVCase("the delimiter that finds the coordinates wins", "a,b,c,d;lat;lon\nx;51.25;-3.5", one),
        CSVCase("a tie goes to the one that finds the coordinates", "a,b,c;lat;lon\nx;51.25;-3.5", one),
        CSVCase("header quoted in part", "\"lat\",lon,\"n\"\"m\"\n51.25,-3.5,x", one),
        CSVCase("blanks around names", " Lat , LON \n51.25,-3.5", one),
        CSVCase("a delimiter at the end of a row", "lat,lon\n51.25,-3.5,\n7,8,,\n", "\(one), ragged row 1"),
        CSVCase("ragged rows", "lat,lon,n\n1,2\n51.25,-3.5,x\n1,2,3,4\n", "\(one), ragged row 2"),
        CSVCase("a row of delimiters", "lat,lon,n\n,,\n51.25,-3.5,x", "\(one), missing coordinate 1"),
        CSVCase("quoted fields", "n,lat,lon\n\"a,b\",\"51.25\",\"-3.5\"", one),
        CSVCase("line ends in quotes", "n,lat,lon\n\"a\nb\r\n\rc\",51.25,-3.5\nd,7,8", "\(one), 8000000/7000000"),
        CSVCase("doubled quotes", "n,lat,lon\n\"\"\"a\"\",\"\"\",51.25,-3.5", one),
        CSVCase(
            "a quote inside a field is text", "n,lat,lon\n5\" pipe,51.25,-3.5\na\"b\"\"c,7,8", "\(one), 8000000/7000000"
        ),
        CSVCase("blank before a quote makes it text", "n,lat,lon\n \"a\",51.25,-3.5", one),
        CSVCase(
            "text after a closing quote", "n,lat,lon\n\"a\"b,1,2\nc,51.25,-3.5", "\(one), text after a closing quote 1"),
        CSVCase(
            "blank after a closing quote", "n,lat,lon\n\"a\" ,1,2\nc,51.25,-3.5", "\(one), text after a closing quote 1"
        ),
        CSVCase(
            "a stray quote costs its own line only", "n,lat,lon\n\"a,1,2\nb,7,8\n\"c, d\",51.25,-3.5",
            "8000000/7000000, \(one), text after a closing quote 1"),
        CSVCase(
            "an unterminated quote costs its own line only", "n,lat,lon\n\"a,1,2\nb,7,8\nc,51.25,-3.5\n",
            "8000000/7000000, \(one), unterminated quote 1"),
        CSVCase("an unterminated quote at the end", "n,lat,lon\nc,51.25,-3.5\n\"", "\(one), unterminated quote 1"),
        CSVCase("an empty quoted field at the end", "lat,lon,n\n51.25,-3.5,\"\"", one),
        CSVCase("NUL", "n,lat,lon\na\0b,1,2\nc,51.25,-3.5", "\(one), NUL byte 1"),
        CSVCase(
            "a NUL in a row of many bytes", "n,lat,lon\nabcdefghijklmnop\0,1,2\nc,51.25,-3.5", "\(one), NUL byte 1"),
        CSVCase("valid UTF-8", "n,lat,lon\nZürich 東京 🗼,51.25,-3.5", one),
        CSVCase(
            "Latin-1", bytes: Array("n,lat,lon\nZ".utf8) + [0xfc] + Array("rich,1,2\nc,51.25,-3.5".utf8),
            "\(one), invalid UTF-8 1"),
        CSVCase(
            "overlong, surrogate and too far",
            bytes:
                Array("n,lat,lon\n".utf8) + [0xc0, 0xaf] + Array(",1,2\n".utf8) + [0xed, 0xa0, 0x80]
                + Array(",1,2\n".utf8) + [0xf4, 0x90, 0x80, 0x80] + Array(",1,2\nc,51.25,-3.5".utf8),
            "\(one), invalid UTF-8 3"),
        CSVCase(
            "a character cut by the end of the row",
            bytes: Array("lat,lon,n\n1,2,".utf8) + [0xe2, 0x82] + Array("\n51.25,-3.5,x".utf8),
            "\(one), invalid UTF-8 1"),
    ]

    static let coordinates: [CSVCase] =
        [
            (" 51.25 , -3.5\t", one), ("5125e-2,-.35E1", one),
            ("+51.25,-3.50000000000000000000000000000000000000", one),
            (".5,5.", "5000000/500000"), ("0051.25,-003.5", one), ("1e1,-2e+1", "-20000000/10000000"),
            ("90,180", "-180000000/90000000"), ("-90,-180", "-180000000/-90000000"),
            ("1.0000005,-1.0000005", "-1000001/1000001"), ("1.0000004999,-1.0000004999", "-1000000/1000000"),
            ("-0,-0.0000001", "0/0"), ("1,179.9999996", "-180000000/1000000"), ("90.0000004,7", "7000000/90000000"),
            ("0e999999999999,7", "7000000/0"), ("1e-400,7", "7000000/0"),
        ].map { CSVCase($0.0, "lat,lon\n\($0.0)\n", $0.1) }
        + [
            ("NaN,1", "unreadable coordinate"), ("inf,1", "unreadable coordinate"), ("1,0x10", "unreadable coordinate"),
            ("1e,1", "unreadable coordinate"), ("1e+,1", "unreadable coordinate"), (".,1", "unreadable coordinate"),
            ("-,1", "unreadable coordinate"), ("1.2.3,1", "unreadable coordinate"), ("1 2,1", "unreadable coordinate"),
            ("--1,1", "unreadable coordinate"), ("\"51,25\",1", "unreadable coordinate"),
            ("51°15'N,1", "unreadable coordinate"), ("1,null", "unreadable coordinate"), (",1", "missing coordinate"),
            ("1,  ", "missing coordinate"), ("\"\",1", "missing coordinate"), ("91.3,1", "coordinate out of range"),
            ("1,-180.000001", "coordinate out of range"), ("1,360", "coordinate out of range"),
            ("1e400,1", "coordinate out of range"), ("90.0000005,1", "coordinate out of range"),
            ("1,123456789012345678901234567890", "coordinate out of range"),
        ].map { CSVCase($0.0, "lat,lon\n\($0.0)\n51.25,-3.5", "\(one), \($0.1) 1") }

    static let refusals: [CSVCase] = [
        CSVCase("empty", "", "badData: t.csv: is empty, expected a header and rows"),
        CSVCase("only a byte order mark", "\u{FEFF}", "badData: t.csv: is empty, expected a header and rows"),
        CSVCase("header only", "lat,lon\n", "badData: t.csv: has a header and no rows, expected at least one row"),
        CSVCase(
            "UTF-16", bytes: [0xff, 0xfe, 0x6c, 0],
            "badData: t.csv:1: text is UTF-16 or UTF-32 (byte order mark), expected UTF-8"),
        CSVCase("UTF-16 without a mark", "l\0a\0t\0", "badData: t.csv:1: header has NUL bytes, expected text in UTF-8"),
        CSVCase("Latin-1 header", bytes: [0xfc, 0x2c, 0x61], "badData: t.csv:1: header is not valid UTF-8"),
        CSVCase(
            "unterminated header", "\"lat,lon\n1,2",
            "badData: t.csv:1: header has an unterminated quote or text after a closing quote"),
        CSVCase(
            "no usable row", "lat,lon\nx,2\n,1\n91,1",
            "badData: t.csv: none of 3 rows is usable (missing coordinate: 1, unreadable coordinate: 1, "
                + "coordinate out of range: 1); first: t.csv:2: latitude is \"x\", expected degrees from -90 to 90"),
        CSVCase(
            "strict", "n,lat,lon\n\"a\nb\",1,2\nc,91.3,0\n",
            "badData: t.csv:4: latitude is \"91.3\", expected degrees from -90 to 90",
            InputOptions(isStrict: true)),
        CSVCase(
            "strict with a repeated id", "id,lat,lon\n7,1,2\n8,1,2\n7,1,3",
            "badData: t.csv:2: id is \"7\", which another row has too", InputOptions(idColumn: "id", isStrict: true)),
        CSVCase(
            "no coordinates", "a,b\n1,2",
            "usage: t.csv:1: no columns for latitude and longitude among \"a\", \"b\"; "
                + "name them with --latitude-column and --longitude-column"),
        CSVCase(
            "one column", "\nname\nx",
            "usage: t.csv:2: no columns for latitude and longitude among \"name\"; "
                + "name them with --latitude-column and --longitude-column"),
        CSVCase(
            "lat and latitude", "lat,latitude,lon\n1,2,3",
            "usage: t.csv:1: several pairs of columns could be latitude and longitude: \"lat\", \"lon\"; "
                + "\"latitude\", \"lon\"; choose with --latitude-column and --longitude-column"),
        CSVCase(
            "unknown column", "lat,lon\n1,2",
            "usage: t.csv:1: no column \"nmae\" for --include, expected one of \"lat\", \"lon\"",
            InputOptions(include: ["nmae"])),
        CSVCase(
            "one column for both", "lat,lon\n1,2", "usage: t.csv:1: column \"lat\" is both latitude and longitude",
            InputOptions(longitudeColumn: "lat", latitudeColumn: "lat")),
    ]
}
