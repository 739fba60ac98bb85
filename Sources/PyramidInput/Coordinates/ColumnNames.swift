import PyramidTiles

/// The names by which columns of coordinates are found, in lower case with `_` for anything but letters and digits, and the
/// words in their cells.
enum ColumnNames {
    /// What a name says, the surest first.
    enum Word {
        /// Latitude or longitude: "lat", "lng".
        case degrees
        /// Just y or x.
        case axis
        /// Words for latitude and longitude that also mean width and length.
        case size
    }

    /// What a column has if it hasn't the whole coordinate.
    package enum Part: String {
        case degrees, minutes, seconds
        case direction = "directions"
    }

    /// What the end of a name says of the numbers.
    enum Unit: Equatable {
        /// That the column has degrees, perhaps with minutes beside them.
        case degrees
        /// That nothing is beside it: "lat_dd".
        case decimal
        /// Degrees times a power of ten, in whole numbers: 7 in "latitudeE7".
        case power(Int)
    }

    /// Coordinates as a whole.
    static let words: [((axis: Axis, word: Word), String)] = [
        (
            (.latitude, .degrees),
            """
            latitudine latitude latitud latitudea latitudo lat intptlat dec_lat_va breitengrad geo_breite geobreite \
            geogr_breite geografische_breite geographische_breite breedtegraad breddegrad breddgrad breiddargráða \
            leveysaste leveyspiiri laiuskraad platuma lledred szerokość_geograficzna szerokosc_geograficzna \
            zeměpisná_šířka zemepisna_sirka zemepisná_šírka zemljepisna_širina zemljopisna_širina geografska_širina \
            földrajzi_szélesség ģeogrāfiskais_platums enlem lintang vĩ_độ vi_do gjerësia_gjeografike domhanleithead \
            широта шырата географска_ширина γεωγραφικό_πλάτος γεωγραφικο_πλατος 纬度 緯度 위도 خط_العرض دائرة_العرض \
            عرض_جغرافیایی קו_רוחב अक्षांश ละติจูด განედი լայնություն
            """
        ),
        (
            (.longitude, .degrees),
            """
            longitudine longitude longitud longitudea longitudo lonxitude long lon lng intptlong intptlon \
            dec_long_va längengrad laengengrad geo_länge geolänge geogr_länge geografische_länge geographische_länge \
            geo_laenge geolaenge geogr_laenge geografische_laenge geographische_laenge lengtegraad længdegrad \
            laengdegrad lengdegrad längdgrad laengdgrad lengdargráða pituusaste pituuspiiri pikkuskraad ilguma \
            hydred długość_geograficzna dlugosc_geograficzna zeměpisná_délka zemepisna_delka zemepisná_dĺžka \
            zemljepisna_dolžina zemljopisna_dužina geografska_dužina földrajzi_hosszúság ģeogrāfiskais_garums boylam \
            bujur kinh_độ kinh_do gjatësia_gjeografike domhanfhad долгота довгота даўгата географска_дължина \
            географска_дужина географска_должина γεωγραφικό_μήκος γεωγραφικο_μηκος 经度 經度 経度 경도 خط_الطول \
            طول_جغرافیایی קו_אורך देशांतर ลองจิจูด გრძედი երկայնություն
            """
        ),
        ((.latitude, .axis), "ycoord y_coord y"),
        ((.longitude, .axis), "xcoord x_coord x"),
        (
            (.latitude, .size),
            """
            breite breedte bredde bredd breidd leveys laius platums szerokość szerokosc šířka sirka šírka širina \
            szélesség ширина πλάτος πλατος العرض רוחב
            """
        ),
        (
            (.longitude, .size),
            """
            länge laenge lengte længde laengde lengde längd laengd lengd pituus pikkus garums długość dlugosc délka \
            delka dĺžka dlzka dolžina dužina hosszúság дължина дужина должина μήκος μηκος الطول אורך
            """
        ),
    ]

    /// Ends of such names.
    static let units: [(Unit, String)] = [
        (.decimal, "_decimal_degrees _decimal _dd _wgs84"),
        (.degrees, "_degrees _degree _deg"),
        (.power(5), "_e5 e5"),
        (.power(6), "_e6 e6"),
        (.power(7), "_e7 e7"),
    ]

    /// Ends of the names of columns that have only a part.
    static let parts: [(Part, String)] = [
        (.degrees, "degrees degree deg d degrés degres degré degre grados grado graden graad gradi graus grau grad"),
        (
            .minutes,
            """
            minutes minute minuten minutos minuto minuti minuut minut mins min mm mn m dec_minutes dec_min
            """
        ),
        (
            .seconds,
            """
            seconds second sekunden sekunde sek segundos segundo segs seg secondes seconde seconden secondi secondo \
            secundos secs sec ss s dec_seconds dec_sec
            """
        ),
        (.direction, "direction richtung dir ref hemisphere hemis hemi hem h ns ew n_s e_w cardinal"),
    ]

    /// Columns that have nothing but directions.
    static let directions: [(Axis, String)] = [
        (
            .latitude,
            """
            ns n_s n_or_s nors norte_sur norte_sul nord_sud nord_süd hemisphere_ns hemisphere_n_s ns_indicator \
            n_s_indicator north_south northsouth
            """
        ),
        (
            .longitude,
            """
            ew e_w e_or_w eorw este_oeste leste_oeste est_ouest ost_west hemisphere_ew hemisphere_e_w ew_indicator \
            e_w_indicator east_west eastwest
            """
        ),
    ]

    /// Names of columns with directions that don't say of which coordinate; the cells do.
    static let hemispheres: Set<String> = ["hemisphere", "hemi", "hem", "cardinal"]

    /// Directions in cells, and in names.
    static let directionWords: [(AngleText.Direction, String)] = [
        (.north, "n north northern nördlich nbr nord norte noord norden 北 北纬"),
        (.south, "s south southern südlich sbr süd sud sur sul zuid süden 南 南纬"),
        (.east, "e east eastern östlich est ost este leste oost osten 东 東 东经"),
        (.west, "w west western westlich wl ouest oeste ovest westen 西 西经"),
        (.eastOrWest, "o"),
    ]

    /// Coordinates behind which a name may have the letter of a direction without anything between: "latN".
    static let wordsBeforeLetter: Set<String> = ["latitude", "lat", "longitude", "long", "lon", "lng"]

    /// Columns with both coordinates, by kinds; the surest one is 1.
    static let points: [((kind: Int, order: PointOrder?), String)] = [
        (
            (1, nil),
            """
            geometry geom the_geom wkt wkt_geom geom_wkt geometry_wkt wkb_geometry wkb ewkb ewkt geojson geo_point \
            geo_point_2d geopoint geolocation geo_location geocoded_column geocoded_location georeference \
            new_georeferenced_column coordinates coordinate coords coord koordinaten koordinate coordonnées \
            coordonnees coordenadas coordinaten coordinate_geografiche współrzędne wspolrzedne souřadnice souradnice \
            koordinater koordinat koordinatlar координаты координати συντεταγμένες 坐标 座標 좌표
            """
        ),
        (
            (1, .latitudeFirst),
            """
            lat_lon lat_lng lat_long latlon latlng latlong latitude_longitude gpsposition coordonneesyx
            """
        ),
        (
            (1, .longitudeFirst),
            """
            lon_lat lng_lat long_lat lonlat lnglat longlat longitude_latitude coordonneesxy coordonnees_xy
            """
        ),
        ((2, nil), "location_1"),
        ((3, nil), "location position point gps shape"),
    ]

    /// Cells in the place of a coordinate that isn't known.
    static let missing: Set<String> = ["", "null", "nan", "none", "na", "n/a", "#n/a", "\\n", "-"]

    /// Cells that are booleans in a column declared as such.
    static let booleans: [String: Bool] = [
        "true": true, "wahr": true, "vrai": true, "ja": true, "oui": true, "si": true, "sí": true, "sì": true,
        "yes": true,
        "false": false, "falsch": false, "faux": false, "nein": false, "non": false, "no": false,
    ]

    /// Cells in the row of units below some headers.
    static let unitTexts: Set<String> = [
        "degrees", "degree", "deg", "dd", "°", "decimal degrees", "decimal_degrees", "wgs84",
    ]
}
