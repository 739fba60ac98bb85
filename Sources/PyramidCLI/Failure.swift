import ArgumentParser
import PyramidBuild
import PyramidInput
import PyramidPlatform
import PyramidPublishing
import PyramidStore
import PyramidTiles

/// The exit codes of pyramid; those from 64 are BSD's sysexits.h.
enum Failure {
    static let findings = ExitCode(1)
    static let usage = ExitCode(64)
    static let badData = ExitCode(65)
    static let inputMissing = ExitCode(66)
    static let notEnoughResources = ExitCode(71)
    static let outputUnusable = ExitCode(73)
    static let readOrWrite = ExitCode(74)
    static let outputBusy = ExitCode(75)
    static let interrupted = ExitCode(130)

    /// The exit code that tells a script what went wrong.
    static func exitCode(of error: any Error) -> ExitCode {
        switch error {
        case let error as InputError:
            switch error.kind {
            case .usage: usage
            case .badData: badData
            case .missing: inputMissing
            case .unreadable: readOrWrite
            }
        case is MemoryError: notEnoughResources
        case let error as OutputError:
            switch error.kind {
            case .unusable: outputUnusable
            case .busy: outputBusy
            case .failed: readOrWrite
            }
        case let error as StoreError:
            switch error.reason {
            case .missing, .notATileset: inputMissing
            case .unreadable: readOrWrite
            case .notRegularFile, .tooLarge, .notGzip, .notATile, .damaged, .notAsListed, .incomplete: badData
            }
        case let error as PublishingError:
            switch error.kind {
            case .badData: badData
            case .unusable: outputUnusable
            case .busy: outputBusy
            case .failed: readOrWrite
            case .stopped: interrupted
            }
        default: readOrWrite
        }
    }
}

/// The tileset in an existing directory or archive.
func existingTileset(at path: String) throws -> any TilesetReader {
    do throws(StoreError) {
        return try LocalTileset.open(path: path)
    } catch {
        guard error.reason == .missing else { throw error }
        Console.error("\(path): no such directory or archive")
        throw Failure.inputMissing
    }
}

func warnIfIncomplete(_ tileset: any TilesetReader) {
    guard tileset.isBeingBuilt else { return }
    Console.warning("\(StoreError(path: tileset.name, reason: .incomplete))")
}
