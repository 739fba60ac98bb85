import PyramidTiles
import TestSupport
import Testing

@testable import PyramidInput

struct CSVColumnsTests {
    private func pairs(_ header: String, longitude: Int? = nil, latitude: Int? = nil) -> [[Int]] {
        let names = header.split(separator: ",").map(String.init)
        return CoordinateColumns.candidates(among: names, longitude: longitude, latitude: latitude).map {
            [$0.latitude.degrees, $0.longitude.degrees]
        }
    }

    @Test(arguments: [
        ("LATITUDE,n,Longitude", [[0, 2]]), ("lng,lat", [[1, 0]]), ("long,lat", [[1, 0]]), ("x,y", [[1, 0]]),
        ("XCoord,YCoord", [[1, 0]]), ("x,y,lon,lat", [[3, 2]]), ("lat,x", [[0, 1]]),
        ("latitude_deg,longitude_deg", [[0, 1]]), ("Latitude (deg),Longitude (degrees)", [[0, 1]]),
        ("pickup_longitude,pickup_latitude", [[1, 0]]),
        ("pickup_latitude,pickup_longitude,lat,lon", [[2, 3]]), ("startLatitude,startLongitude", [[0, 1]]),
        ("POINT_X,POINT_Y", [[1, 0]]), ("a_lat,b_lon", []), ("flat,along", []), ("lat,n", []), ("lat,b_lon", []),
        ("a_lat,a_lon,b_lat,b_lon", [[0, 1], [2, 3]]), ("lat,lon,lng", [[0, 1], [0, 2]]),
        ("geo_lat_deg,geo_lon_deg,geo_x,geo_y", [[0, 1]]), ("lat,lon,lat", [[0, 1], [2, 1]]),
        ("ALAND,INTPTLAT,INTPTLONG      ", [[1, 2]]), ("intptlon,intptlat", [[1, 0]]),
        ("lat_va,long_va,dec_lat_va,dec_long_va", [[2, 3]]), ("decimalLongitude,decimalLatitude", [[1, 0]]),
        ("verbatimLatitude,verbatimLongitude,decimalLatitude,decimalLongitude", [[2, 3]]),
        ("Breitengrad,Längengrad", [[0, 1]]), ("laengengrad,breitengrad", [[1, 0]]),
        ("Geografische Länge,Geografische Breite", [[1, 0]]), ("geographische_breite,geographische_laenge", [[0, 1]]),
        ("geo_laenge,geo_breite,breite,laenge", [[1, 0]]), ("GeoBreite,GeoLänge,Breite,Länge", [[0, 1]]),
        ("Länge,Breite", [[1, 0]]), ("breite,laenge,x,y", [[3, 2]]), ("Breite,Länge,start_lat,start_lon", [[2, 3]]),
        ("tisch_breite,tisch_laenge", []), ("Breite,Länge,lon", [[0, 1]]), ("Breite,lon", []),
        ("A\u{308},La\u{308}nge,Breite", [[2, 1]]),
        ("latitud,longitud", [[0, 1]]), ("longitudine,latitudine", [[1, 0]]),
        ("stationLatitud,stationLongitud", [[0, 1]]),
        ("latitude,longitude,latitud,longitud", [[0, 1], [0, 3], [2, 1], [2, 3]]), ("max_coord,may_coord", []),
    ])
    func `coordinates are found by name`(header: String, expected: [[Int]]) {
        #expect(pairs(header) == expected)
    }

    @Test func `a given column finds its partner`() {
        #expect(pairs("a_lat,a_lon,b_lat,b_lon", latitude: 2) == [[2, 3]])
        #expect(pairs("a_lat,a_lon,b_lat,b_lon", longitude: 1) == [[0, 1]])
        #expect(pairs("north,lon,n", latitude: 0) == [[0, 1]])
        #expect(pairs("lat,lon,p_lat,p_lon", latitude: 2) == [[2, 3]])
        #expect(pairs("north,east", longitude: 1, latitude: 0) == [[0, 1]])
        #expect(pairs("north,east", latitude: 0) == [])
    }

    @Test func `a given column prefers a partner that can hardly be a size`() {
        #expect(pairs("north,laenge,lon", latitude: 0) == [[0, 2]])
        #expect(pairs("breite,laenge,n", latitude: 0) == [[0, 1]])
        #expect(pairs("breite,laenge,n", longitude: 1) == [[0, 1]])
    }

    @Test(arguments: [
        ("Location 1", [0]), ("location,Location 1", [1]), ("Koordinaten,location", [0]), ("Coordonnées GPS,n", [0]),
        ("n,gps_coordenadas", [1]), ("Coordinate,coords", [0, 1]), ("coordonnees_geo", [0]),
        ("allocation_1,location_12", []),
    ])
    func `a column with both coordinates is found by name`(header: String, expected: [Int]) {
        let names = header.split(separator: ",").map(String.init)
        #expect(CoordinateColumns.pointCandidates(among: names).map(\.latitude.degrees) == expected)
    }

    @Test func `other columns that may have the coordinates are known, the likeliest first`() {
        func others(_ header: String, than found: CoordinateColumns) -> [[Int]] {
            CoordinateColumns.alternatives(to: found, among: header.split(separator: ",").map(String.init)).map {
                $0.isPoint ? [$0.latitude.degrees] : [$0.latitude.degrees, $0.longitude.degrees]
            }
        }
        let pair = CoordinateColumns(longitude: AngleColumns(1), latitude: AngleColumns(0))
        #expect(others("lat,lon,point,a_lat,a_lon,geom,x,y", than: pair) == [[3, 4], [7, 6], [5], [2]])
        #expect(others("lat,lon,lng,y", than: pair) == [[3, 2]])
        #expect(others("LAT,LON,name", than: pair) == [])
        #expect(others("n,geom,wkt,location", than: CoordinateColumns(point: 1)) == [[2], [3]])
        let many = (0..<1_000).map { "p\($0)_lat,p\($0)_lon" }.joined(separator: ",")
        #expect(others(many, than: pair).count == 16)
    }

    @Test func `properties are all columns but coordinates and id, unless they are named`() throws {
        let text = "id,lat,lon,n,m\na,1,2,x,y"
        let names = { try CSVReading.table(text, $0).propertyNames }
        #expect(try names(InputOptions()) == ["id", "n", "m"])
        #expect(try names(InputOptions(idColumn: "id")) == ["n", "m"])
        #expect(try names(InputOptions(include: ["M", "lat"])) == ["lat", "m"])
        #expect(try names(InputOptions(idColumn: "id", include: ["id"])) == ["id"])
        #expect(try names(InputOptions(exclude: ["n", "lat"])) == ["id", "m"])
        #expect(try names(InputOptions(include: ["n", "m"], exclude: ["n"])) == ["m"])
        #expect(try names(InputOptions(include: [])) == [])
    }

    @Test func `an option names a column in any case, unless several differ only in that`() throws {
        let names = { id in
            try CSVReading.table("lat,lon,Key,KEY,Town\n1,2,x,y,z", InputOptions(idColumn: id)).propertyNames
        }
        #expect(try names("town") == ["Key", "KEY"])
        #expect(try names("KEY") == ["Key", "Town"])
        #expect(throws: InputError.self) { try names("key") }
    }

    @Test func `of delimiters that make as many columns, a comma is preferred`() {
        #expect(CSVReading.outcome(Array("geom;n,geom\na,\"51.25, -3.5\"\n".utf8)) == "-3500000/51250000")
    }

    @Test func `names that mark a cluster give way`() throws {
        let table = try CSVReading.table("lat,lon,cluster,cluster_,point_count,name\n1,2,a,b,c,d")
        #expect(table.propertyNames == ["cluster__", "cluster_", "point_count_", "name"])
        #expect(
            table.report.renamedColumns == [
                .init(from: "cluster", to: "cluster__"), .init(from: "point_count", to: "point_count_"),
            ])
        #expect(CSVReading.properties(table) == [#"{"cluster__":"a","cluster_":"b","point_count_":"c","name":"d"}"#])
    }

    @Test func `quotes within names are text`() throws {
        let table = try CSVReading.table("lat,lon,5\" pipe,\"a \"\"b\"\"\",c\"\"d\n1,2,x,y,z")
        #expect(table.propertyNames == ["5\" pipe", "a \"b\"", "c\"\"d"])
    }

    @Test func `empty and repeated names become distinct ones`() throws {
        let table = try CSVReading.table("lat,lon,,n,n,n_2,column_3\n1,2,a,b,c,d,e")
        #expect(table.propertyNames == ["column_3_2", "n", "n_3", "n_2", "column_3"])
        #expect(Set(table.propertyNames).count == 5)
    }
}
