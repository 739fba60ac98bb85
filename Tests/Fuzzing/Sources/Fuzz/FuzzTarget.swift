@testable import PyramidTiles

/// What is fuzzed.
enum FuzzTarget: String, CaseIterable {
    case csv, geojson, tile, mvt, gunzip, archive, lists, tilejson, manifest, forgery, part, partwise, http

    /// What must hold for any bytes; bytes that a target can't use are ignored.
    var check: (UnsafeRawBufferPointer) -> Void {
        switch self {
        case .csv: { checkReading($0, isGeoJSON: false) }
        case .geojson: { checkReading($0, isGeoJSON: true) }
        case .tile: checkTile
        case .mvt: checkVectorTile
        case .gunzip: checkGunzip
        case .archive: checkArchive
        case .lists: checkLists
        case .tilejson: checkTileJSON
        case .manifest: checkManifest
        case .forgery: checkForgery
        case .part: checkPart
        case .partwise: checkPartwise
        case .http: checkRequests
        }
    }
}

/// Ends the process if something that must hold doesn't, even in a release build.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// The address of the tiles under test, which their bytes don't contain.
let world = TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0)
