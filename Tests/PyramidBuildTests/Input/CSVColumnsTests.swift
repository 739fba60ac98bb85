import Testing

@testable import PyramidBuild

struct CSVColumnsTests {
    private func pairs(_ header: String, longitude: Int? = nil, latitude: Int? = nil) -> [[Int]] {
        let names = header.split(separator: ",").map(String.init)
        return CoordinateColumns.candidates(among: names, longitude: longitude, latitude: latitude).map {
            [$0.latitude, $0.longitude]
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
