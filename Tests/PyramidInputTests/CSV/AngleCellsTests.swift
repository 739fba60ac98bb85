import Foundation
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

/// Coordinates in several columns, and columns whose names say how they are written.
struct AngleCellsTests {
    private func outcome(_ text: String, _ options: InputOptions = InputOptions()) -> String {
        CSVReading.outcome(Array(text.utf8), options)
    }

    /// Each file has the same two points.
    @Test(arguments: [
        "latitude_degrees,latitude_minutes,latitude_seconds,latitude_direction,longitude_degrees,longitude_minutes,"
            + "longitude_seconds,longitude_direction\n40,42,46.1,N,74,0,21.6,W\n33,55,30.0,S,118,24,15.5,E\n",
        "LatD,LatM,LatS,NS,LonD,LonM,LonS,EW\n40,42,46.1,N,74,0,21.6,W\n33,55,30,S,118,24,15.5,E\n",
        "n;Lat Degrees;Lat Minutes;Lon Degrees;Lon Minutes\nx;40.0;42,7683333;-74;0.36\ny;-33;55.5;118;24,2583333\n",
        "lat_deg,lat_min,lat_sec,lon_deg,lon_min,lon_sec\n40,42,46.1,-74,0,21.6\n-33,55,30.0,118,24,15.5\n",
        "Latitude;LatitudeDir;Longitude;LongitudeDir\n40.712806;N;74.006;W\n33.925;S;118.404306;E\n",
        "GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef\n40.712806,North,74.006,West\n33.925,South,-118.404306,x\n"
            + "33.925,South,118.404306,East\n",
        "GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef\n40 deg 42' 46.1'' N,North,-74.006,West\n"
            + "33.925 S,,118.404306,East\n",
        "Latitude,N/S,Longitude,E/W\n40.712806,n,74.006,w\n33.925,s,118.404306,e\n",
        "Latitude,h1,Longitude,h2\n40.712806,N,74.006,W\n33.925,S,118.404306,E\n",
        "lat,ns,lon,ew\n4042.768333,N,07400.36,W\n3355.5,S,11824.258333,E\n",
        "LatD,LatM,LatS,LatH,LonD,LonM,LonS,LonH\n40,42,46.1,N,74,0,21.6,W\n33,55,30,S,118,24,15.5,E\n",
        "Lat Deg,Lat Min,Hemisphere,Lon Deg,Lon Min,Hemisphere\n40°,42.768333',N,74,0.36,W\n33,55.5,S,118,24.258333,E\n",
        "Lat_DD,Lat_MM,Lat_SS,NS,Lon_DD,Lon_MM,Lon_SS,EW\n40,42,46.1,N,74,0,21.6,W\n33,55,30,S,118,24,15.5,E\n",
        "S_LAT,M_LAT,D_LAT,D_LON,M_LON,S_LON\n46.1,42,40,-74,0,21.6\n30,55,-33,118,24,15.5\n",
        "DD Lat,DD Lon,MM Lat,MM Lon\n40,-74,42.768333,0.36\n-33,118,55.5,24.258333\n",
        "Deg Lat,Min Lat,Deg Lon,Min Lon\n40,42.768333,-74,0.36\n-33,55.5,118,24.258333\n",
        "Breite Grad;Breite Min;Breite Sek;Länge Grad;Länge Min;Länge Sek\n40;42;46,1;-74;0;21,6\n-33;55;30;118;24;15,5\n",
        "lat_d,lat_m,lon_d,lon_m\n40 N,42.768333,74 W,0.36\n33 S,55.5,118°E,24.258333\n",
        "Lat,N or S,Long,E or W\n40.712806,Northern,74.006,Western\n33.925,Southern,118.404306,Eastern\n",
        "latitudeE7,longitudeE7\n407128060,-740060000\n-339250000,1184043060\n",
        "lat_e5,lon_e5\n4071281,-7400600\n-3392500,11840431\n",
    ])
    func `an angle may stand in several cells`(text: String) throws {
        let table = try CSVReading.table(text, InputOptions(maxSkipped: .unlimited))
        let points = zip(table.longitudes, table.latitudes).map { [Int($0), Int($1)] }
        #expect(points.count == 2)
        for (point, expected) in zip(points, [[-74_006_000, 40_712_806], [118_404_306, -33_925_000]]) {
            #expect(zip(point, expected).allSatisfy { abs($0 - $1) <= 5 }, "\(points)")
        }
        #expect(table.propertyNames.allSatisfy { $0 == "n" })
    }

    @Test(arguments: [
        ("STATION;LAT_N;LON_W\nA;40.71;74.0\nB;-40.72;-74.1\n", "-74000000/40710000, unreadable coordinate 1"),
        ("Latitude (S),Longitude (°E)\n40.5,-74.5\n", "-74500000/-40500000"),
        ("lat,lon,lat_s\n1,2,3\n", "2000000/1000000"),
    ])
    func `a name may state the direction`(text: String, expected: String) {
        #expect(outcome(text, InputOptions(maxSkipped: .unlimited)) == expected)
    }

    @Test func `a direction in the name of a given column counts`() {
        let options = InputOptions(longitudeColumn: "LON_W", latitudeColumn: "y")
        #expect(outcome("y,LON_W\n40.5,74.25\n", options) == "-74250000/40500000")
    }

    @Test(arguments: [
        // A box, winds, and a column that belongs to neither.
        ("lat,lon,lat_min,lat_max,lon_min,lon_max\n1,2,0,3,1,4\n", "2000000/1000000"),
        ("lat,lon,lat_dir,lon_dir\n1,2,SW,ENE\n3,4,SSW,NE\n", "2000000/1000000, 4000000/3000000"),
        ("lat,lon,dir\n1,2,W\n3,4,E\n", "2000000/1000000, 4000000/3000000"),
        ("lat,lat_min,lon,lon_min\n1.5,2,3.5,4\n", "3500000/1500000"),
        // A start and an end, ordinary numbers, decimals beside minutes, and no powers.
        ("lat_s,lon_s,lat,lon\n1,2,3,4\n", "4000000/3000000"), ("lat,lon,ns,ew\n-33,-70,3,4\n", "-70000000/-33000000"),
        ("lat,lon,lat_ref,lon_ref\n1,2,WGS84,WGS84\n", "2000000/1000000"),
        ("latitude,longitude,lat_d,lat_m,lat_s,lon_d,lon_m,lon_s\n48.5,11.25,48,30,0,11,15,0\n", "11250000/48500000"),
        ("lat_dd,lon_dd,lat_deg,lat_min,lat_sec,lon_deg,lon_min,lon_sec\n48,11,48,30,0,11,15,0\n", "11000000/48000000"),
        ("latitude,longitude,latitude_minutes,longitude_minutes\n48.5,11.25,30,15\n", "11250000/48500000"),
        ("lat,lon,min_lat,min_lon,max_lat,max_lon\n1,2,3,4,5,6\n", "2000000/1000000"),
        // Columns that may have something else than degrees.
        ("lat_deg,lat_min,lon_deg,lon_min,x,y\n1,30,2,15,3,5\n", "2250000/1500000"),
        ("lat_n,lon_e,x,y\n1.5,2.25,3,5\n", "2250000/1500000"),
        ("decimalLatitude,decimalLongitude,x,y\n1.5,2.25,3,5\n", "2250000/1500000"),
        ("Latitude (° ' \"),Longitude '\n1.5,2.25\n", "2250000/1500000"),
        ("lat,lon,Breite_min,Länge_min\n1,2,30,15\n", "2000000/1000000"),
        ("lat,lat_min,lon,lon_min,lon_max\n1,0,2,1,4\n", "2000000/1000000"),
        ("lat,lon,s_lat,s_lon,d_lat,d_lon\n1,2,3,4,5,6\n", "2000000/1000000"),
        ("lat_dd,lat_mm,lat_ss,lon_dd,lon_mm,lon_ss\n1.5,30,0,2.5,30,0\n", "2500000/1500000"),
        ("lat,lon,lat_e7,lon_e7\n1,2,10000000,20000000\n", "2000000/1000000"),
        ("lat,lon,gps_lat,gps_lat_deg\n1,2,3,4\n", "2000000/1000000"),
    ])
    func `columns that only look like parts are none`(text: String, expected: String) {
        #expect(outcome(text) == expected)
    }

    @Test func `empty minutes before seconds are none`() {
        #expect(
            outcome("LatD,LatM,LatS,LonD,LonM,LonS\n40,,36,-74,,18\n40,30,,-74,15,\n")
                == "-74005000/40010000, -74250000/40500000")
    }

    @Test func `names with a number at the end have no power`() {
        let options = InputOptions(longitudeColumn: "longitude5", latitudeColumn: "latitude5")
        #expect(outcome("latitude5,longitude5\n48.5,11.25\n", options) == "11250000/48500000")
    }

    @Test func `a column with a comma behind it is read alone`() {
        let text = "lat_deg,lat_min,lon_deg,lon_min\n48,30,11,15\n"
        #expect(outcome(text) == "11250000/48500000")
        #expect(
            outcome(text, InputOptions(longitudeColumn: "lon_deg,", latitudeColumn: "lat_deg,")) == "11000000/48000000")
    }

    @Test func `other columns are read with their parts if the first are empty`() {
        #expect(
            outcome("lat,lon,gps_lat,h1,gps_lon,h2\n,,33.5,S,70.25,W\n") == "-70250000/-33500000")
        #expect(outcome("lat,lon,gps_lat,gps_lat_min,gps_lon,gps_lon_min\n,,33,30,70,15\n").hasPrefix("badData"))
        // Minutes beside empty degrees are those of others.
        #expect(
            outcome("latitude,longitude,lat_deg,lat_min,lon_deg,lon_min\n,,40,30,-74,30\n,,41,30,-74,15\n")
                == "-74500000/40500000, -74250000/41500000")
        #expect(outcome("lat,lat_min,lon,lon_min\n,,,\n1,30,2,15\n").contains("may have the minutes of"))
    }

    @Test func `only columns of degrees are told to be empty`() throws {
        let table = try CSVReading.table("latitude,longitude,gps_lat,ns,gps_lon,ew\n,,40.7,N,74,W\n")
        #expect(
            table.report.notes.map(\.description) == [
                #"coordinates are read from "gps_lat", "ns", "gps_lon", "ew", because "latitude", "longitude" are empty in "#
                    + "every row"
            ])
    }

    @Test func `doubtful minutes are asked about, with both readings`() {
        let text = "lat,lat_min,lon,lon_min\n1,30,2,15\n"
        #expect(
            outcome(text)
                == "usage: t.csv:1: \"lat_min\", \"lon_min\" may have the minutes of \"lat\", \"lon\": use latitude column "
                + "'lat,lat_min' longitude column 'lon,lon_min' if so, otherwise latitude column 'lat,' longitude column 'lon,'"
        )
        #expect(
            outcome(text, InputOptions(longitudeColumn: "lon,lon_min", latitudeColumn: "lat,lat_min"))
                == "2250000/1500000")
        #expect(outcome(text, InputOptions(longitudeColumn: "lon,", latitudeColumn: "lat,")) == "2000000/1000000")
        #expect(outcome(text, InputOptions(longitudeColumn: "lon", latitudeColumn: "lat")) == outcome(text))
    }

    @Test(arguments: [
        ("lat,min,lon,min\n1,30,2,15.6\n", "minutes", "lat,min", "lon,min_2", "2260000/1500000"),
        (
            "lat,,,lon,,\ndeg,min,sec,deg,min,sec\n1,30,36,2,15,0\n-3,,,4,6,9\n", "minutes and seconds",
            "lat,column_2,column_3", "lon,column_5,column_6", "2250000/1510000, 4102500/-3000000"
        ),
        ("lon;m;s;lat;m;s\n2;15;0;1;30;36,9\n", "minutes and seconds", "lat,m_2,s_2", "lon,m,s", "2250000/1510250"),
        (
            "lat,n,lon,m,k\n1,0,2,0,3\n1,30,2.0,15,3\n1,NA,2,,3\n", "minutes", "lat,n", "lon,m",
            "2000000/1000000, 2250000/1500000"
        ),
        ("lat,a,NS,lon,b,EW\n1,30,N,2,15,W\n", "minutes", "lat,NS,a", "lon,EW,b", "-2250000/1500000"),
        ("lat,a,h,lon,b,i\n1,30,N,2,15,W\n", "minutes and directions", "lat,a,h", "lon,b,i", "-2250000/1500000"),
        ("Lat_DD,Lat_MM,Lon_DD,Lon_MM\n1,30,2,15\n", "minutes", "Lat_DD,Lat_MM", "Lon_DD,Lon_MM", "2250000/1500000"),
        ("lat,NS,a,lon,EW,b\n1,N,30,2,W,15\n", "minutes", "lat,NS,a", "lon,EW,b", "-2250000/1500000"),
        // Some cells are something else.
        (
            "lat,,lon,\n1,30,2,15\n-3,60.0,4,6\n5,?,6,9\n-7,45,8,12\n1,6,2,\n", "minutes", "lat,column_2",
            "lon,column_4", "2250000/1500000"
        ),
        (
            "lat,lat_min,lon,lon_min\n1,30,2,15\n-3,60,4,6\n5,x,6,9\n-7,45,8,12\n", "minutes", "lat,lat_min",
            "lon,lon_min", "2250000/1500000"
        ),
        ("lat,a,lon,b\n1,0,2,15\n", "minutes", "lat,a", "lon,b", "2250000/1000000"),
        // Beside others that are known.
        (
            "lat_deg,lat_min,lat_x,lon_deg,lon_min,lon_x\n1,30,36,2,15,0\n", "seconds", "lat_deg,lat_min,lat_x",
            "lon_deg,lon_min,lon_x", "2250000/1510000"
        ),
        (
            "lat,lat_min,lat_x,lon,lon_min,lon_x\n1,30,36,2,15,0\n", "minutes and seconds", "lat,lat_min,lat_x",
            "lon,lon_min,lon_x", "2250000/1510000"
        ),
        // Not behind them.
        ("lat_deg,lon_deg,lat_x,lon_x\n1,2,30,15\n", "minutes", "lat_deg,lat_x", "lon_deg,lon_x", "2250000/1500000"),
        // The direction in the name counts.
        ("lat s,,lon w,\n1,30,2,15\n", "minutes", "lat s,column_2", "lon w,column_4", "-2250000/-1500000"),
        ("lat,a,lon,b\n-1,-30,-2,-15\n", "minutes", "lat,a", "lon,b", "-2250000/-1500000"),
        ("lat ',lat °,lon °,lon '\n30,1,2,15\n", "minutes", "lat °,lat '", "lon °,lon '", "2250000/1500000"),
    ])
    func `numbers beside whole degrees may be minutes`(
        text: String, parts: String, latitude: String, longitude: String, expected: String
    ) {
        let said = outcome(text)
        #expect(said.contains("may have the \(parts) of"))
        let cure = [latitude, longitude].map(ShellWord.quoted)
        #expect(said.contains("use latitude column \(cure[0]) longitude column \(cure[1]) if so"))
        #expect(
            outcome(text, InputOptions(longitudeColumn: longitude, latitudeColumn: latitude, maxSkipped: .unlimited))
                .hasPrefix(expected))
    }

    @Test func `minutes of one coordinate ask for those of the other`() {
        let text = "latitude degrees,latitude minutes,longitude degrees,longitude minuets\n1,30,2,15\n"
        let longitude = "longitude degrees,longitude minuets"
        #expect(outcome(text).contains("use longitude column '\(longitude)' if so"))
        #expect(outcome(text, InputOptions(longitudeColumn: longitude)) == "2250000/1500000")
    }

    @Test(arguments: [
        ("-74,-0.36", -74_006_000), ("-74,0.36", -74_006_000), ("0,-30", -500_000), ("-0,-30", -500_000),
        ("-0,30", -500_000), ("\u{2212}74,\u{2212}30", -74_500_000), ("-74.0,-30.0", -74_500_000),
        ("74,30", 74_500_000),
    ])
    func `minutes may have the sign of their degrees`(cells: String, expected: Int) {
        #expect(outcome("lat_deg,lon_deg,lon_min\n1,\(cells)\n") == "\(expected)/1000000")
        #expect(
            outcome("lat_deg,lon_deg,lon_min\n1,2,3\n1,74,-30\n", InputOptions(maxSkipped: .unlimited))
                == "2050000/1000000, unreadable coordinate 1")
    }

    @Test(arguments: [
        // A decimal, 60, no whole coordinate, nothing but zeros, and other places.
        "lat,a,lon,b\n1,30,2,15\n1.5,30,2,15\n", "lat,a,lon,b\n1,30,2,15\n1,60,2,15\n", "lat,a,lon,b\n1,x,2,15\n",
        "lat,a,lon,b\n1,0,2,0\n", "lat,lon,a,b\n1,2,30,15\n", "lat,a,lon\n1,30,2\n",
        "lat,lat_min,lat_max,lon,lon_min,lon_max\n1,0,3,2,1,4\n",
    ])
    func `other numbers behind coordinates are none`(text: String) {
        #expect(outcome(text).hasPrefix("2000000/1000000"))
    }

    @Test func `named columns are read as one angle, whatever their names`() {
        let options = InputOptions(longitudeColumn: "e,f,g", latitudeColumn: "a,b,c,d")
        #expect(outcome("a,b,c,d,e,f,g\n1,30,36,S,2,15,W\n", options) == "-2250000/-1510000")
        #expect(outcome("\"a,b,c,d\",e,f,g\n1.5,2,15,W\n", options) == "-2250000/1500000")
        #expect(
            outcome("a,b,c,d,e,f,g,h\n", InputOptions(longitudeColumn: "a,b,c,d,e", latitudeColumn: "f"))
                .contains("names 5 columns, expected at most 4"))
    }

    @Test(arguments: [
        ("40,61,N,74,0,W", "unreadable coordinate"), ("40,30,E,74,0,W", "unreadable coordinate"),
        ("40.5,30,N,74,0,W", "unreadable coordinate"), ("40,30,,74,0,W", "unreadable coordinate"),
        ("-40,30,N,74,0,W", "unreadable coordinate"), (",,,,,", "missing coordinate"),
        (",30,N,74,0,W", "missing coordinate"),
        ("40,30,N,O,0,W", "unreadable coordinate"), ("91,30,N,74,0,W", "coordinate out of range"),
    ])
    func `cells that are no angle make a bad row`(row: String, problem: String) {
        let header = "lat_deg,lat_min,lat_dir,lon_deg,lon_min,lon_dir"
        #expect(
            outcome("\(header)\n40,30,N,74,0,W\n\(row)\n", InputOptions(maxSkipped: .unlimited))
                == "-74000000/40500000, \(problem) 1")
    }

    @Test func `degrees and packed minutes in one file are refused`() {
        let said = outcome("lat,ns,lon,ew\n4042.768333,N,07400.36,W\n33.9,S,118.4,E\n")
        #expect(said.contains("degrees and minutes are one number in 1 of 2 rows"))
        #expect(outcome("lat,ns,lon,ew\n4042.768333,N,74.36,W\n").contains("unreadable coordinate: 1"))
    }

    @Test func `packed minutes without a direction are no coordinate`() {
        let rows = "lat,ns,lon,ew\n4042.768333,N,07400.36,W\n4042.768333,,07400.36,\n"
        #expect(
            outcome(rows, InputOptions(maxSkipped: .unlimited)) == "-74006000/40712806, unreadable coordinate 1")
    }

    /// Against a computation with floating-point numbers.
    @Test func `degrees, minutes and seconds add up`() throws {
        var random = SeededRandom(seed: 5)
        var rows = ""
        var expected: [[Double]] = []
        for _ in 0..<300 {
            let angles = [89, 179].map { limit in
                (
                    random.next(below: limit), random.next(below: 60), Double(random.next(below: 60_000)) / 1000,
                    random.next(below: 2) == 0
                )
            }
            rows +=
                zip(angles, ["NS", "EW"]).map { angle, letters in
                    "\(angle.0),\(angle.1),\(angle.2),\(angle.3 ? letters.last! : letters.first!)"
                }.joined(separator: ",") + "\n"
            expected.append(angles.map { (Double($0.0) + Double($0.1) / 60 + $0.2 / 3600) * ($0.3 ? -1 : 1) })
        }
        let table = try CSVReading.table("LatD,LatM,LatS,NS,LonD,LonM,LonS,EW\n" + rows)
        for (index, place) in expected.enumerated() {
            #expect(abs(Double(table.latitudes[index]) - place[0] * 1e6) <= 0.6)
            #expect(abs(Double(table.longitudes[index]) - place[1] * 1e6) <= 0.6)
        }
    }
}
