/// Files in which what stands beside a coordinate says where a point is.
extension FieldFile {
    private static let places = ["11500000/48100000", "11600000/48200000"]

    static let rows: [FieldFile] = [
        FieldFile(
            "fcc.csv",
            """
            callsign,latitude_degrees,latitude_minutes,latitude_seconds,latitude_direction,longitude_degrees,longitude_minutes,\
            longitude_seconds,longitude_direction
            A,40,42,46.1,N,74,0,21.6,W
            B,33,55,30.0,N,118,24,15.5,W

            """, comesTo: .points(["-74006000/40712806", "-118404306/33925000"])),
        FieldFile(
            "exif.csv",
            "SourceFile,GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef\na.jpg,40.7128,North,74.0060,West\n",
            comesTo: .points(["-74006000/40712800"])),
        FieldFile("named.csv", "STATION;LAT_N;LON_W\nA;40.71;74.0\n", comesTo: .points(["-74000000/40710000"])),
        FieldFile(
            "arrays.json", "[\(feature("[11.5,48.1]", "{}"))]\n[]\n[\(feature("[11.6,48.2]", "{}"))]",
            comesTo: .points(places)),
        FieldFile(
            "shifted.csv",
            "name,address,rating,lat,lon\nA,Street 1,3.0,48.1,11.5\nB,Street 2,3.1,48.2,11.6\nC,Street 3, back,3.2,48.3,11.7\n",
            arguments: ["--max-skipped", "1"],
            comesTo: .points(places, skipped: 1, says: ["shifted.csv:4: row has 6 cells, expected 5"])),
        FieldFile(
            "glued.csv", "id,name,lat,lon\n1,A,48.1,11.5\n2,B,48.2,11.63,C,48.3,11.7\n4,D,48.2,11.6\n",
            comesTo: .points(places, skipped: 1, says: ["glued.csv:3: row has 7 cells"])),
        FieldFile(
            "ghost.csv",
            "id,lat,lon,desc,note\n1,48.1,11.5,Prices:\n10,12,15\n2,48.2,11.6,ok,n\n",
            comesTo: .points(places, skipped: 1, says: ["ghost.csv:3: row has 3 cells"])),
        FieldFile(
            "trimmed.csv", "id,lat,lon,phone,note\n1,48.1,11.5\n2,48.2,11.6,4.5,Open, daily\n3,48.3,11.7,5.5,x\n",
            comesTo: .points(places + ["11700000/48300000"], says: ["1 row has fewer cells", "1 row has more cells"])),
        FieldFile(
            "joined.csv", "\u{FEFF}id,lat,lon\n1,48.1,11.5\n\u{FEFF}id,lat,lon\n\u{FEFF}2,48.2,11.6\n",
            comesTo: .points(
                places, skipped: 1, says: ["a byte order mark before 2 rows", "repeated header", "id number"])),
        FieldFile(
            "west.csv", "name,lat,lon\n0,-17.0,-180.5\n1,-17.1,-181.5\n",
            comesTo: .points(["179500000/-17000000", "178500000/-17100000"], says: ["2 longitudes under -180"])),
        FieldFile(
            "e7.csv", "timestampMs,latitudeE7,longitudeE7\n1,481000000,115000000\n2,482000000,116000000\n",
            comesTo: .points(places)),
        FieldFile("order.csv", "name,\"lonlat\"\nA,\"11.5,48.1\"\nB,\"11.6,48.2\"\n", comesTo: .points(places)),
        FieldFile("altitude.csv", "name,gps\nA,48.1 11.5 519.0 4.5\nB,\"48.2, 11.6, 0\"\n", comesTo: .points(places)),
        FieldFile(
            "object.csv",
            "name,location\nA,\"{\"\"lat\"\": 48.1, \"\"lng\"\": 11.5}\"\nB,\"{'lon': 11.6, 'lat': '48.2'}\"\n",
            comesTo: .points(places)),
        FieldFile(
            "formula.csv", "name,lat,lon\nA,\"=\"\"48.1\"\"\",\"=\"\"11.5\"\"\"\nB,=\"48.2\",=\"11.6\"\n",
            comesTo: .points(places)),
        FieldFile(
            "inner.csv",
            "\"id\",\"name\",\"lat\",\"lon\",\"url\"\n\"1\",\"Nord, \"emma\"\",\"48.1\",\"11.5\",\"\"\n\"2\",\"A \"B\", C\",\"48.2\",\"11.6\",\"\"\n",
            comesTo: .points(places, says: ["quotes that don't enclose a cell were read as text in 2 rows"])),
        FieldFile(
            "missing.csv", "name,lat,lon\nA,48.1,11.5\nB,48.2,11.6\nC,#N/A,#N/A\nD,-,-\nE,-9999,-9999.0\n",
            comesTo: .points(places, skipped: 3, says: ["3 skipped: missing coordinate"])),
        FieldFile(
            "scripts.csv", "имя,широта,долгота\nA,48.1,11.5\nB,48.2,11.6\n", comesTo: .points(places)),
        FieldFile("scripts2.csv", "名称;纬度;经度\nA;48,1;11,5\nB;48,2;11,6\n", comesTo: .points(places)),
        FieldFile(
            "packed.csv", "name,Coordinates\nA,5234N 00226W\nB,4809N 01135E\n",
            comesTo: .refused(says: ["write 52°34'N instead of 5234N"])),
        FieldFile(
            "thousands.csv", "name,lat,lon,pop\nP1,48.1,11.5,\"1,037\"\nP2,48.2,11.6,250\n",
            arguments: ["--accumulate-attribute", "pop:sum"],
            comesTo: .points(places, says: ["the first in", "thousands.csv:2: \"1,037\"; take the commas out: perl"])),
        FieldFile(
            "large.json",
            "[\(feature("[11.5,48.1]", "{}", ",\"id\":9007199254740993")),\(feature("[11.6,48.2]", "{}"))]",
            comesTo: .points(places, says: ["ids over 2^53 in 1 row"])),
        FieldFile("error.txt", "Too Many Requests\n", comesTo: .refused(says: ["is an error answer of a server"])),
        FieldFile(
            "error.xml", "<ows:ExceptionReport version=\"1\"></ows:ExceptionReport>",
            comesTo: .refused(says: ["is an error answer of a server"])),
        FieldFile(
            "polygons.json",
            "[\((0..<11).map { _ in feature("[11.5,48.1]", "{}") }.joined(separator: ",")),"
                + feature("[[[1,2],[3,4],[5,7],[1,2]]]", "{}").replacing("\"Point\"", with: "\"Polygon\"") + "]",
            comesTo: .points(
                Array(repeating: places[0], count: 11), skipped: 1,
                says: ["1 geometry is not a point; to make a point of each", "ST_PointOnSurface"])),
    ]
}
