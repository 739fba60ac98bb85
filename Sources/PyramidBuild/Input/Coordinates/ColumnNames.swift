/// The names by which columns of coordinates are found, in lower case with `_` for anything but letters and digits. Each
/// line has a kind, the meaning, and the names, the longer ones of an ending first where one ends like another.
enum ColumnNames {
    static let table = """
        degrees latitude: latitudine latitude latitud latitudea latitudo lat intptlat dec_lat_va
        degrees longitude: longitudine longitude longitud longitudea longitudo lonxitude long lon lng intptlong intptlon dec_long_va
        degrees latitude: breitengrad geo_breite geobreite geogr_breite geografische_breite geographische_breite
        degrees longitude: längengrad laengengrad geo_länge geolänge geogr_länge geografische_länge geographische_länge \
        geo_laenge geolaenge geogr_laenge geografische_laenge geographische_laenge
        degrees latitude: breedtegraad breddegrad breddgrad breiddargráða leveysaste leveyspiiri laiuskraad platuma lledred
        degrees longitude: lengtegraad længdegrad laengdegrad lengdegrad längdgrad laengdgrad lengdargráða pituusaste \
        pituuspiiri pikkuskraad ilguma hydred
        degrees latitude: szerokość_geograficzna szerokosc_geograficzna zeměpisná_šířka zemepisna_sirka zemepisná_šírka \
        zemljepisna_širina zemljopisna_širina geografska_širina földrajzi_szélesség ģeogrāfiskais_platums
        degrees longitude: długość_geograficzna dlugosc_geograficzna zeměpisná_délka zemepisna_delka zemepisná_dĺžka \
        zemljepisna_dolžina zemljopisna_dužina geografska_dužina földrajzi_hosszúság ģeogrāfiskais_garums
        degrees latitude: enlem lintang vĩ_độ vi_do gjerësia_gjeografike domhanleithead
        degrees longitude: boylam bujur kinh_độ kinh_do gjatësia_gjeografike domhanfhad
        degrees latitude: широта шырата географска_ширина γεωγραφικό_πλάτος γεωγραφικο_πλατος 纬度 緯度 위도 خط_العرض \
        دائرة_العرض عرض_جغرافیایی קו_רוחב अक्षांश ละติจูด განედი լայնություն
        degrees longitude: долгота довгота даўгата географска_дължина географска_дужина географска_должина \
        γεωγραφικό_μήκος γεωγραφικο_μηκος 经度 經度 経度 경도 خط_الطول طول_جغرافیایی קו_אורך देशांतर ลองจิจูด გრძედი \
        երկայնություն
        axis latitude: ycoord y_coord y
        axis longitude: xcoord x_coord x
        size latitude: breite breedte bredde bredd breidd leveys laius platums szerokość szerokosc šířka sirka šírka \
        širina szélesség ширина πλάτος πλατος العرض רוחב
        size longitude: länge laenge lengte længde laengde lengde längd laengd lengd pituus pikkus garums długość dlugosc \
        délka delka dĺžka dlzka dolžina dužina hosszúság дължина дужина должина μήκος μηκος الطول אורך
        unit decimal: _decimal_degrees _decimal _dd _wgs84
        unit degrees: _degrees _degree _deg
        unit e5: _e5 e5
        unit e6: _e6 e6
        unit e7: _e7 e7
        part degrees: degrees degree deg d
        part minutes: minutes minute minuten minutos minuti mins min m
        part seconds: seconds second sekunden segundos secondi secs sec s
        part direction: direction richtung dir ref hemisphere hemi hem ns ew n_s e_w cardinal
        direction latitude: ns n_s ns_indicator n_s_indicator
        direction longitude: ew e_w ew_indicator e_w_indicator
        word north: n north nord norte noord
        word south: s south süd sud sur sul zuid
        word east: e east est ost este leste oost
        word west: w west ouest oeste ovest
        point 1: geometry geom the_geom wkt wkt_geom geom_wkt geometry_wkt wkb_geometry wkb ewkb ewkt geojson geo_point \
        geo_point_2d geopoint geolocation geo_location geocoded_column geocoded_location georeference \
        new_georeferenced_column coordinates coordinate coords coord koordinaten koordinate coordonnées coordonnees \
        coordenadas coordinaten coordinate_geografiche współrzędne wspolrzedne souřadnice souradnice koordinater \
        koordinat koordinatlar координаты координати συντεταγμένες 坐标 座標 좌표
        point 1 lat-lon: lat_lon lat_lng lat_long latlon latlng latlong latitude_longitude gpsposition coordonneesyx
        point 1 lon-lat: lon_lat lng_lat long_lat lonlat lnglat longlat longitude_latitude coordonneesxy coordonnees_xy
        point 2: location_1
        point 3: location position point gps shape
        """
}
