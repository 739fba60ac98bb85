import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Directions in columns of their own, and in names.
struct DirectionColumnsTests {
    private static func outcome(_ text: String, _ options: InputOptions = InputOptions(maxSkipped: .unlimited))
        -> String
    {
        CSVReading.outcome(Array(text.utf8), options)
    }

    /// The coordinates of the three places without signs, in several notations.
    private struct Notation {
        let latitudeNames, longitudeNames: [String]
        let latitudes, longitudes: [[String]]
    }

    private static let expected = "-70600000/-33900000, 151250000/40500000, 18500000/-33750000"
    private static let latitudeSigns = ["S", "N", "S"], longitudeSigns = ["W", "E", "E"]

    private static let notations = [
        "decimals": Notation(
            latitudeNames: ["lat"], longitudeNames: ["lon"], latitudes: [["33.9"], ["40.5"], ["33.75"]],
            longitudes: [["70.6"], ["151.25"], ["18.5"]]),
        "degree signs": Notation(
            latitudeNames: ["Latitude"], longitudeNames: ["Longitude"],
            latitudes: [["33°54'"], ["40°30'00\""], ["33.75°"]], longitudes: [["70°36'"], ["151°15'"], ["18.5°"]]),
        "minutes": Notation(
            latitudeNames: ["lat", "lat_minutes"], longitudeNames: ["lon", "lon_minutes"],
            latitudes: [["33", "54"], ["40", "30"], ["33", "45"]],
            longitudes: [["70", "36"], ["151", "15"], ["18", "30"]]),
        "NMEA": Notation(
            latitudeNames: ["lat"], longitudeNames: ["lon"], latitudes: [["3354.000"], ["4030.0"], ["3345.0"]],
            longitudes: [["07036.000"], ["15115.0"], ["01830.0"]]),
        "E7": Notation(
            latitudeNames: ["latE7"], longitudeNames: ["lonE7"],
            latitudes: [["339000000"], ["405000000"], ["337500000"]],
            longitudes: [["706000000"], ["1512500000"], ["185000000"]]),
    ]

    /// By the letters N, S, E and W.
    private static let words: [String: [Character: String]] = [
        "letters": ["N": "N", "S": "S", "E": "E", "W": "W"],
        "small letters": ["N": "n", "S": "s", "E": "e", "W": "w"],
        "words": ["N": "North", "S": "South", "E": "East", "W": "West"],
        "German": ["N": "Nord", "S": "Süden", "E": "Osten", "W": "West"],
        "points": ["N": "N.", "S": "S.", "E": "E.", "W": "W."],
        "signs": ["N": "°N", "S": "° S", "E": "°E", "W": "°W"],
        "Chinese": ["N": "北", "S": "南", "E": "东", "W": "西"],
    ]

    private enum Order: CaseIterable { case behindEach, beforeEach, behindBoth, behindBothSwapped, beforeBoth, apart }

    /// A file in which each of the columns stands in its place.
    private static func file(
        _ notation: Notation, _ names: (latitude: String, longitude: String), _ order: Order,
        _ directions: [(latitude: String, longitude: String)]
    ) -> String {
        func line(_ latitude: [String], _ longitude: [String], _ north: String, _ east: String, _ n: String) -> String {
            let cells: [String] =
                switch order {
                case .behindEach: latitude + [north] + longitude + [east, n]
                case .beforeEach: [n, north] + latitude + [east] + longitude
                case .behindBoth: latitude + longitude + [north, east, n]
                case .behindBothSwapped: latitude + longitude + [east, north, n]
                case .beforeBoth: [n, north, east] + longitude + latitude
                case .apart: [north, n] + latitude + longitude + [n, east]
                }
            return cells.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
        }
        var text = line(notation.latitudeNames, notation.longitudeNames, names.latitude, names.longitude, "n")
        for (index, direction) in directions.enumerated() {
            let place = index % 3
            text += line(
                notation.latitudes[place], notation.longitudes[place], direction.latitude, direction.longitude, "M")
        }
        return text
    }

    private static func right(_ words: [Character: String]) -> [(latitude: String, longitude: String)] {
        zip(latitudeSigns, longitudeSigns).map { north, east in
            (words[Character(north)] ?? "", words[Character(east)] ?? "")
        }
    }

    private static let names: [(latitude: String, longitude: String)] = [
        ("lat_dir", "lon_dir"), ("LatRef", "LonRef"), ("ns", "ew"), ("N/S", "E/W"), ("NorthSouth", "EastWest"),
        ("hemisphere_lat", "hemisphere_lon"), ("cardinal_lat", "cardinal_lon"),
        ("lat hemisphere (N/S)", "lon hemisphere"), ("lat_card", "lon_card"), ("lat_h", "lon_h"),
        ("latitude sign", "longitude sign"), ("dir_lat", "dir_lon"), ("Latitude Direction", "Longitude direction"),
    ]

    @Test func `directions with a name count in every order`() {
        guard let notation = Self.notations["decimals"], let letters = Self.words["letters"] else { return }
        for names in Self.names {
            for order in Order.allCases {
                let text = Self.file(notation, names, order, Self.right(letters))
                #expect(Self.outcome(text) == Self.expected, "\(text)")
            }
        }
    }

    @Test func `directions count in every notation, whatever their words`() {
        for (name, notation) in Self.notations {
            for (language, words) in Self.words {
                for names in [("lat_dir", "lon_dir"), ("hemisphere_lat", "hemisphere_lon"), ("h1", "h2")] {
                    let text = Self.file(notation, names, .behindEach, Self.right(words))
                    #expect(Self.outcome(text) == Self.expected, "\(name), \(language): \(text)")
                }
            }
        }
    }

    @Test func `a word that is no direction makes a bad row in every notation`() {
        guard let letters = Self.words["letters"] else { return }
        for (name, notation) in Self.notations {
            for wrong in [
                ("X", "W"), ("S", "O"), ("E", "W"), ("S", "N"), ("", "W"), ("S", "-"), ("S", "NW"), ("S", "7"),
            ] {
                for names in [("lat_dir", "lon_dir"), ("ns", "ew"), ("lat_card", "lon_card")] {
                    let text = Self.file(notation, names, .behindEach, Self.right(letters) + [wrong])
                    #expect(Self.outcome(text) == "\(Self.expected), unreadable coordinate 1", "\(name): \(text)")
                }
            }
        }
    }

    /// Never a point in the wrong place: none is accepted, and the message names a column or shows a cell.
    @Test(arguments: [("S", "O"), ("X", "Y"), ("S", "Ö"), ("Etelä", "Länsi"), ("W", "S"), ("S", "S"), ("S", "5")])
    func `a column that should have directions and has none is asked about`(latitude: String, longitude: String) {
        for (name, notation) in Self.notations {
            for names in [("lat_dir", "lon_dir"), ("ns", "ew"), ("hemisphere_lat", "hemisphere_lon")] {
                let rows = Array(repeating: (latitude: latitude, longitude: longitude), count: 3)
                let text = Self.file(notation, names, .behindEach, rows)
                let said = Self.outcome(text)
                #expect(said.hasPrefix("usage") || said.hasPrefix("badData"), "\(name): \(text)\(said)")
                #expect(said.contains(names.1) || said.contains(longitude), "\(name): \(text)\(said)")
            }
        }
    }

    @Test func `directions without a name are read behind their coordinates, and asked about beside them`() {
        guard let notation = Self.notations["decimals"], let letters = Self.words["letters"] else { return }
        for order in Order.allCases where order != .behindEach && order != .apart {
            let text = Self.file(notation, ("h1", "h2"), order, Self.right(letters))
            let said = Self.outcome(text)
            #expect(
                said
                    == "usage: t.csv:1: \"h1\", \"h2\" may have the directions of \"lat\", \"lon\": use latitude column "
                    + "'lat,h1' longitude column 'lon,h2' if so, otherwise latitude column 'lat,' longitude column 'lon,'",
                "\(text)")
            var options = InputOptions(longitudeColumn: "lon,h2", latitudeColumn: "lat,h1")
            #expect(Self.outcome(text, options) == Self.expected)
            options = InputOptions(longitudeColumn: "lon,", latitudeColumn: "lat,")
            #expect(Self.outcome(text, options) == "70600000/33900000, 151250000/40500000, 18500000/33750000")
        }
    }

    @Test(arguments: [("ns", "ew"), ("NSx", "EWx"), ("h1", "h2"), ("hemisphere_lat", "hemisphere_lon")])
    func `directions of given columns count`(latitude: String, longitude: String) {
        let options = InputOptions(longitudeColumn: "Rechtswert", latitudeColumn: "Hochwert")
        #expect(
            Self.outcome(
                "id,Hochwert,\(latitude),Rechtswert,\(longitude)\n1,33.9,S,151.2,E\n2,40.7,N,74.0,W\n", options)
                == "151200000/-33900000, -74000000/40700000")
    }

    @Test(arguments: ["-", "", "NA"])
    func `directions that the first rows lack count in later ones`(missing: String) {
        for names in [("ns", "ew"), ("h1", "h2"), ("lat_card", "lon_card")] {
            let header = "lat,\(names.0),lon,\(names.1)\n"
            let last = "33.9,S,70.6,W\n"
            #expect(
                Self.outcome(header + String(repeating: "40.1,\(missing),74.1,\(missing)\n", count: 20) + last)
                    == "-70600000/-33900000, unreadable coordinate 20")
            #expect(
                Self.outcome(header + String(repeating: "\(missing),,\(missing),\n", count: 20) + last)
                    == "-70600000/-33900000, missing coordinate 20")
        }
    }

    @Test(arguments: [
        ("Longitude West", -73.5), ("LON_WEST", -73.5), ("lonW", -73.5), ("Longitude W (deg)", -73.5), ("LONW", -73.5),
        ("Longitude (deg W)", -73.5), ("lon_w_dd", -73.5), ("longitude_degrees_west", -73.5), ("Longitude (ºW)", -73.5),
        ("Longitude Ouest", -73.5), ("Lng (W)", -73.5), ("Longitude East", 73.5), ("lonE", 73.5),
    ])
    func `a direction in the name counts, found or given`(name: String, longitude: Double) {
        let expected = "\(Int(longitude * 1e6))/-40250000"
        for latitude in ["Latitude South", "LAT_S", "latS", "Lat (S)", "latitude_s_deg"] {
            #expect(Self.outcome("\(latitude),\(name)\n40.25,73.5\n") == expected)
            #expect(
                Self.outcome(
                    "a,\(latitude),\(name)\n1,40.25,73.5\n",
                    InputOptions(longitudeColumn: name, latitudeColumn: latitude)) == expected)
        }
        #expect(Self.outcome("South Latitude,\(name)\n40.25,73.5\n") == expected)
        #expect(Self.outcome("LATS,\(name)\n40.25,73.5\n") == expected)
    }

    @Test(arguments: [
        ("W Longitude", "-73500000/40250000"), ("West Longitude", "-73500000/40250000"),
        ("Länge (W)", "-73500000/40250000"), ("e_lon", "73500000/40250000"), ("lons", "73500000/40250000"),
    ])
    func `a direction counts in the name of a given column, though it wouldn't be found`(name: String, place: String) {
        let text = "Latitude,\(name)\n40.25,73.5\n"
        #expect(Self.outcome(text).hasPrefix("usage"))
        #expect(Self.outcome(text, InputOptions(longitudeColumn: name)) == place)
    }

    @Test(arguments: [
        ("lat_s,lon_s,lon\n1,2,3\n", "no columns"), ("lat,West Longitude\n1,2\n", "no columns"),
        ("lats,lon\n1,2\n", "no columns"),
        ("LAT_N,LON_W\n1,-2\n", "the header says west, which a minus sign contradicts"),
        ("LAT_N,LON_W\n1 S,2\n", "the header says north, which its direction contradicts"),
        ("LAT_N,ns,LON_E,ew\n1,S,2,E\n", "the header says another direction"),
        ("lat,LON_O\n1,2\n", "the header says O"),
        // Only directions in cells come with packed minutes.
        ("LAT_N,LON_W\n4042.5,7400.5\n", "coordinate out of range"),
        ("Latitude,Longitud Wst\n1,2\n", "name them with latitude column \"Latitude\""),
        ("lat,ns,lon,ew\n1,S,2,O\n", "O is east in German"),
        ("lat,lat_card,lon,lon_card\n1,S,2,Länsi\n", "use longitude column 'lon,'"),
    ])
    func `what is wrong with a direction is told`(text: String, expected: String) {
        let said = Self.outcome(text)
        #expect(said.contains(expected) && !said.contains("and longitude column \"Latitude\""), "\(said)")
    }

    @Test(arguments: [
        // Sizes, winds, streets, a datum, and a start.
        ("lat,lon,size\n1,2,S\n3,4,M\n", "2000000/1000000, 4000000/3000000"),
        ("lat,size,lon,class\n1,S,2,E\n3,M,4,A\n", "2000000/1000000, 4000000/3000000"),
        ("lat,size,lon,name\n33,S,2,Emil\n40,S,2,Otto\n", "2000000/33000000, 2000000/40000000"),
        ("size,lat,lon\nS,1,2\nN,3,4\n", "2000000/1000000, 4000000/3000000"),
        ("lat,lon,wind_dir\n1,2,N\n3,4,S\n", "2000000/1000000, 4000000/3000000"),
        ("wind_dir,lat,lon,current_dir\nS,1,2,E\nS,3,4,E\n", "question"),
        ("lat,lon,street,cross\n41.8,-87.6,N,E\n41.9,-87.7,S,W\n", "-87600000/41800000, -87700000/41900000"),
        ("lat,lon,lat_datum,lon_datum\n1,2,WGS84,WGS84\n", "2000000/1000000"),
        ("lat,lon,lat_quality,lon_quality\n1,2,good,S\n", "2000000/1000000"),
        ("lat,lon,hemisphere\n-33,2,S\n40,2,N\n", "2000000/-33000000, 2000000/40000000"),
        ("lat,lon,hemisphere\n33,2,S\n40,2,N\n", "2000000/-33000000, 2000000/40000000"),
        ("lat,ns,lon,name\n33,S,2,Emil\n40,N,2,Otto\n", "2000000/-33000000, 2000000/40000000"),
        ("lat,ns,lon,size\n33,S,2,S\n40,N,2,M\n", "2000000/-33000000, 2000000/40000000"),
        ("north_lat,north_lon\n1,2\n", "2000000/1000000"), ("s_lat,s_lon\n1,2\n", "2000000/1000000"),
        ("geom,lat_north,lat_south,lon_east,lon_west\nPOINT(2 1),1,1,2,2\n", "2000000/1000000"),
        ("lat,lon,lat_est,lon_est\n1,2,3,4\n", "2000000/1000000"),
        ("n,ref_lat,ref_lon\nS,1,2\n", "2000000/1000000"),
        // Without a counterpart.
        ("lat,lon,lat_lon_accuracy\n1,2,S\n", "2000000/1000000"), ("lat,lng,k,long_desc\n1,2,3,W\n", "2000000/1000000"),
        ("lat,lon,lat_flag,lon_flag\n1,2,N,N\n3,4,N,Y\n", "2000000/1000000, 4000000/3000000"),
        // Signs need none.
        ("lat,lon,hemi\n1,-2,S\n3,4,N\n", "-2000000/1000000, 4000000/3000000"),
        ("lat,NS,lon,side\n1,N,-2,E\n", "-2000000/1000000"),
        // Far from the coordinates and from each other.
        ("lat,lon,a,b,side,c,zone\n1,2,3,4,N,5,E\n", "2000000/1000000"),
        ("lat,lon,a,b,c,side,zone\n1,2,3,4,5,N,W\n", "question"), ("lat,lon,way\n1,2,W\n", "question"),
        ("lat,lon,hemisphere,side\n1,2,N,W\n", "question"),
    ])
    func `letters elsewhere are no directions`(text: String, expected: String) {
        let said = Self.outcome(text)
        #expect(expected == "question" ? said.hasPrefix("usage") : said == expected, "\(said)")
    }

    @Test func `columns named for directions have the coordinates if no others have`() {
        #expect(Self.outcome("latitude n/s,longitude e/w\n1.5N,2.25W\n") == "-2250000/1500000")
    }

    @Test func `a name of any length is read`() {
        #expect(
            Self.outcome("lat,lon,lat\(String(repeating: "_dir", count: 50_000))\n1.5,2.25,N\n") == "2250000/1500000")
    }
}
