/// How the records of one input are read again and written.
enum RecordFormat: Sendable {
    case csv(CSVRecordFormat)
    case geoJSON(GeoJSONRecordFormat)
}
