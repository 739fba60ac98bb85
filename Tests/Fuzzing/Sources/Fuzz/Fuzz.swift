import CFuzzer
import PyramidTiles

/// A fuzz target: `Fuzz csv ...`, with libFuzzer's arguments after the name.
enum FuzzTarget: String, CaseIterable {
    case csv, geojson, tile, mvt, gunzip, archive

    /// What must hold for any bytes; bytes that a target can't use are ignored.
    var check: (UnsafeRawBufferPointer) -> Void {
        switch self {
        case .csv: { checkReading($0, isGeoJSON: false) }
        case .geojson: { checkReading($0, isGeoJSON: true) }
        case .tile: checkTile
        case .mvt: checkVectorTile
        case .gunzip: checkGunzip
        case .archive: checkArchive
        }
    }
}

/// A global, because the callback is a C function and can't capture it.
private nonisolated(unsafe) var check: (UnsafeRawBufferPointer) -> Void = { _ in }

@main struct Fuzz {
    static func main() {
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("expected one of \(names), then arguments of libFuzzer")
        }
        check = target.check
        // Without the target's name, which libFuzzer would take for a corpus.
        var count = CommandLine.argc - 1
        let values = CommandLine.unsafeArgv
        values[1] = values[0]
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = values + 1
        _ = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            check(UnsafeRawBufferPointer(start: data, count: size))
            return 0
        }
    }
}

/// Ends the process if something that must hold doesn't, even in a release build.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fatalError(message()) }
}

/// The address of the tiles under test, which their bytes don't contain.
let world = TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0)
