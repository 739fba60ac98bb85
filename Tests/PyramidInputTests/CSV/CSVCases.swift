import PyramidTiles
import Testing

@testable import PyramidInput

/// CSV inputs and their expected outcomes.
enum CSVCases {
    private static let one = "-3500000/51250000"
    static let oneColumn =
        "if it has, name it with point column; if anything but a comma, a semicolon, a tab or a bar separates columns, name "
        + "that with delimiter"
    static let latin1Header =
        "badData: t.csv:1: header is not valid UTF-8; if the text is Windows-1252 (Latin-1), convert it: "
        + "iconv -f windows-1252 -t utf-8 t.csv"

    static let shapes: [InputCase] = [
        InputCase("plain", "lat,lon\n51.25,-3.5\n", one),
        InputCase("no line end at the end", "lat,lon\n51.25,-3.5", one),
        InputCase("CRLF", "lat,lon\r\n51.25,-3.5\r\n", one),
        InputCase("lone CR", "lat,lon\r51.25,-3.5\r7,8", "\(one), 8000000/7000000"),
        InputCase("mixed line ends", "lat,lon\r51.25,-3.5\n7,8\r\n9,-1", "\(one), 8000000/7000000, -1000000/9000000"),
        InputCase("empty lines are no rows", "\n\r\nlat,lon\n\n51.25,-3.5\n\n\n", one),
        InputCase("a line of blanks is a row", "lat,lon\n  \n51.25,-3.5", "\(one), missing coordinate 1"),
        InputCase("byte order mark", "\u{FEFF}lat,lon\n51.25,-3.5", one),
        InputCase("semicolon", "lat;lon\n51.25;-3.5", one),
        InputCase("tab", "lat\tlon\n51.25\t-3.5", one),
        InputCase("bar", "lat|lon\n51.25|-3.5", one),
        InputCase("delimiters within quotes don't count", "\"a,b,c,d\";lat;lon\nx;51.25;-3.5", one),
        InputCase("the delimiter that finds the coordinates wins", "a,b,c,d;lat;lon\nx;51.25;-3.5", one),
        InputCase("a tie goes to the one that finds the coordinates", "a,b,c;lat;lon\nx;51.25;-3.5", one),
        InputCase("header quoted in part", "\"lat\",lon,\"n\"\"m\"\n51.25,-3.5,x", one),
        InputCase("blanks around names", " Lat , LON \n51.25,-3.5", one),
        InputCase("delimiters at the end of a row", "lat,lon\n51.25,-3.5,\n7,8, ,,\n", "\(one), 8000000/7000000"),
        InputCase("missing cells are empty", "lat,lon,n,m\n1.5,2.5\n51.25,-3.5,x\n", "2500000/1500000, \(one)"),
        InputCase(
            "spare cells are left out if no coordinate is a whole number",
            "lat,lon,n\n51.25,-3.5,x,y\n1,2,3,4\n51.5,2,3,4\n", "\(one), ragged row 2"),
        InputCase("the last row of a file that was cut off", "lat,lon,n\n51.25,-3.5,x\n1,2", "\(one), row cut off 1"),
        InputCase("a row of delimiters", "lat,lon,n\n,,\n51.25,-3.5,x", "\(one), missing coordinate 1"),
        InputCase("quoted fields", "n,lat,lon\n\"a,b\",\"51.25\",\"-3.5\"", one),
        InputCase("line ends in quotes", "n,lat,lon\n\"a\nb\r\n\rc\",51.25,-3.5\nd,7,8", "\(one), 8000000/7000000"),
        InputCase("doubled quotes", "n,lat,lon\n\"\"\"a\"\",\"\"\",51.25,-3.5", one),
        InputCase(
            "a quote inside a field is text", "n,lat,lon\n5\" pipe,51.25,-3.5\na\"b\"\"c,7,8", "\(one), 8000000/7000000"
        ),
        InputCase("blanks around a quoted cell", "n,lat,lon\n \"a,b\" \t,51.25,-3.5", one),
        InputCase(
            "text after a closing quote", "n,lat,lon\n\"a\"b,1,2\nc,51.25,-3.5", "2000000/1000000, \(one)"),
        InputCase(
            "blank after a closing quote", "n,lat,lon\n\"a\" ,1,2\nc,51.25,-3.5", "2000000/1000000, \(one)"),
        InputCase(
            "a stray quote is text", "n,lat,lon\n\"a,1,2\nb,7,8\n\"c, d\",51.25,-3.5",
            "2000000/1000000, 8000000/7000000, \(one)"),
        InputCase(
            "a quote that is never closed is text", "n,lat,lon\n\"a,1,2\nb,7,8\nc,51.25,-3.5\n",
            "2000000/1000000, 8000000/7000000, \(one)"),
        InputCase("a quote at the end", "n,lat,lon\nc,51.25,-3.5\n\"", "\(one), row cut off 1"),
        InputCase("an empty quoted field at the end", "lat,lon,n\n51.25,-3.5,\"\"", one),
        InputCase("NUL", "n,lat,lon\na\0b,1,2\nc,51.25,-3.5", "\(one), NUL byte 1"),
        InputCase(
            "a NUL in a row of many bytes", "n,lat,lon\nabcdefghijklmnop\0,1,2\nc,51.25,-3.5", "\(one), NUL byte 1"),
        InputCase("valid UTF-8", "n,lat,lon\nZürich 東京 🗼,51.25,-3.5", one),
        InputCase(
            "Latin-1", bytes: Array("n,lat,lon\nZ".utf8) + [0xfc] + Array("rich,1,2\nc,51.25,-3.5".utf8),
            "\(one), invalid UTF-8 1"),
        InputCase(
            "overlong, surrogate and too far",
            bytes:
                Array("n,lat,lon\n".utf8) + [0xc0, 0xaf] + Array(",1,2\n".utf8) + [0xed, 0xa0, 0x80]
                + Array(",1,2\n".utf8) + [0xf4, 0x90, 0x80, 0x80] + Array(",1,2\nc,51.25,-3.5".utf8),
            "\(one), invalid UTF-8 3"),
        InputCase(
            "a character cut by the end of the row",
            bytes: Array("lat,lon,n\n1,2,".utf8) + [0xe2, 0x82] + Array("\n51.25,-3.5,x".utf8),
            "\(one), invalid UTF-8 1"),
    ]

    static let coordinates: [InputCase] =
        [
            (" 51.25 , -3.5\t", one), ("5125e-2,-.35E1", one),
            ("+51.25,-3.50000000000000000000000000000000000000", one),
            (".5,5.", "5000000/500000"), ("0051.25,-003.5", one), ("1e1,-2e+1", "-20000000/10000000"),
            ("90,180", "-180000000/90000000"), ("-90,-180", "-180000000/-90000000"),
            ("1.0000005,-1.0000005", "-1000001/1000001"), ("1.0000004999,-1.0000004999", "-1000000/1000000"),
            ("-0,-0.0000001", "0/0"), ("1,179.9999996", "-180000000/1000000"), ("90.0000004,7", "7000000/90000000"),
            ("0e999999999999,7", "7000000/0"), ("1e-400,7", "7000000/0"), ("51°15'N,-3°30'", one),
            ("\"51°15'0\"\"N\",\"3,5 W\"", one), ("\u{a0}51.25\u{202f},\u{2212}3.5", one),
        ].map { InputCase($0.0, "lat,lon\n\($0.0)\n", $0.1) }
        + [
            ("NaN,1", "missing coordinate"), ("inf,1", "unreadable coordinate"), ("1,0x10", "unreadable coordinate"),
            ("1e,1", "unreadable coordinate"), ("1e+,1", "unreadable coordinate"), (".,1", "unreadable coordinate"),
            ("-,1", "missing coordinate"), ("#N/A,1", "missing coordinate"), ("9999,-9999", "missing coordinate"),
            ("9999,1", "coordinate out of range"), ("1.2.3,1", "unreadable coordinate"),
            ("1 2,1", "unreadable coordinate"),
            ("--1,1", "unreadable coordinate"), ("51°15'E,1", "unreadable coordinate"),
            ("1,null", "missing coordinate"), (",1", "missing coordinate"),
            ("1,  ", "missing coordinate"), ("\"\",1", "missing coordinate"), ("91.3,1", "coordinate out of range"),
            ("1,-360.000001", "coordinate out of range"), ("1,360.000001", "coordinate out of range"),
            ("1e400,1", "coordinate out of range"), ("90.0000005,1", "coordinate out of range"),
            ("1,123456789012345678901234567890", "coordinate out of range"),
        ].map { InputCase($0.0, "lat,lon\n\($0.0)\n51.25,-3.5", "\(one), \($0.1) 1") }

    static let refusals: [InputCase] = [
        InputCase("empty", "", "badData: t.csv: is empty, expected a header and rows"),
        InputCase("only a byte order mark", "\u{FEFF}", "badData: t.csv: is empty, expected a header and rows"),
        InputCase("header only", "lat,lon\n", "badData: t.csv: has a header and no rows, expected at least one row"),
        InputCase("Latin-1 header", bytes: [0xfc, 0x2c, 0x61], latin1Header),
        InputCase(
            "a stray quote in the header", "\"lat,lon\n1,2", "2000000/1000000"),
        InputCase(
            "no usable row", "lat,lon\nx,2\n,1\n91,1",
            "badData: t.csv: none of 3 rows is usable (missing coordinate: 1, unreadable coordinate: 1, "
                + "coordinate out of range: 1); first: t.csv:2: latitude is \"x\", expected degrees from -90 to 90"),
        InputCase(
            "strict", "n,lat,lon\n\"a\nb\",1,2\nc,91.3,0\n",
            "badData: t.csv: skipped 1 of 2 rows (coordinate out of range: 1), expected none (strict); t.csv:4: latitude "
                + "is \"91.3\", expected degrees from -90 to 90; to build without these rows, use max skipped 1 instead of "
                + "strict", InputOptions(isStrict: true)),
        InputCase(
            "strict with a repeated id", "id,lat,lon\n7,1,2\n8,1,2\n7,1,3",
            "badData: t.csv: skipped 1 of 3 rows (duplicate id: 1), expected none (strict); t.csv:2: id is \"7\", which "
                + "another row has too; to build without these rows, use max skipped 1 instead of strict",
            InputOptions(idColumn: "id", isStrict: true)),
        InputCase(
            "no coordinates", "a,b\n1,2",
            "usage: t.csv:1: no columns for latitude and longitude among \"a\", \"b\"; "
                + "name them with latitude column and longitude column"),
        InputCase(
            "one column", "\nname\nx",
            "usage: t.csv:2: only one column was found, \"name\", and its name doesn't say that it has the "
                + "coordinates: \(oneColumn)"),
        InputCase(
            "a delimiter that nobody knows", "id€lat€lon\n1€2€3",
            "usage: t.csv:1: only one column was found, \"id€lat€lon\", and its name doesn't say that it has the "
                + "coordinates: \(oneColumn)"),
        InputCase(
            "a delimiter that has to be named", "id#lat#lon\n1#2#3",
            "usage: t.csv:1: \"#\" seems to separate the columns (\"id\", \"lat\", \"lon\"): use delimiter '#'"),
        InputCase(
            "the coordinates are in the last columns that could have them",
            "lat,lon,point,geom\n,,,POINT (8 7)\n,,,POINT (-3.5 51.25)", "8000000/7000000, \(one)"),
        InputCase(
            "the coordinates are in one of several columns that could have them",
            "lat,lon,point,geom\n,,POINT (8 7),\n,,POINT (-3.5 51.25),", "8000000/7000000, \(one)"),
        InputCase("a delimiter that is named", "id#lat#lon\n1#51.25#-3.5", one, InputOptions(delimiter: "#")),
        InputCase(
            "a delimiter that is named, and another one that the file states", "sep=;\nid#lat#lon\n1#51.25#-3.5", one,
            InputOptions(delimiter: "#")),
        InputCase(
            "lat and latitude", "lat,latitude,lon\n1,2,3",
            "usage: t.csv:1: several pairs of columns could be latitude and longitude: \"lat\", \"lon\"; "
                + "\"latitude\", \"lon\"; choose with latitude column and longitude column"),
        InputCase(
            "unknown column", "lat,lon\n1,2",
            "usage: t.csv:1: no column \"nmae\" for include, expected one of \"lat\", \"lon\"",
            InputOptions(include: ["nmae"])),
        InputCase(
            "a misspelt column", "lat,lon,name,nme\n1,2,x,y",
            "usage: t.csv:1: no column \"nmae\" for id column, expected one of \"lat\", \"lon\", \"name\", \"nme\"; "
                + "did you mean \"name\"?",
            InputOptions(idColumn: "nmae")),
        InputCase(
            "one column for both", "lat,lon\n1,2",
            "usage: t.csv:1: column \"lat\" is both latitude and longitude; if its cells have both, use point column lat",
            InputOptions(longitudeColumn: "lat", latitudeColumn: "lat")),
    ]
}
