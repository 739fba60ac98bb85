import PyramidPublishing
import PyramidServer
import PyramidStore
import PyramidTiles

extension Error {
    /// The error in one line, with the options and commands that help.
    var lineWithAdvice: String {
        switch self {
        case let error as any OptionNamingError: error.message.withFlags
        case let error as OutputError: "\(error)\(error.cause?.advice ?? "")"
        case let error as PublishingError: "\(error)\(error.cause?.advice ?? "")"
        case let error as StoreError where error.reason == .notAsListed: "\(error); run pyramid verify for details"
        case let error as ListeningError where error.isInUse: "\(error); choose another --port, or 0 for a free one"
        default: "\(self)"
        }
    }
}

extension OutputError.Cause {
    fileprivate var advice: String {
        switch self {
        case .otherFiles: "; use --force to build beside them"
        case .foreignArchive: ", or --force replaces it"
        case .otherVersion: "; --force replaces it"
        case .foreignPage: ", or build without --preview"
        case .largeTile: "; leave columns out or raise --max-zoom"
        case .largeFacets: "; filter by fewer columns, or by wider ranges of numbers"
        }
    }
}

extension PublishingError.Cause {
    fileprivate var advice: String {
        switch self {
        case .otherPublish: "; if it has died, --take-over continues it"
        case .damagedMetadata: "; --all uploads every file again"
        case .otherLayout: "; choose another place, or publish as before, with or without --versioned"
        case .otherFile: "; --force replaces files whose names the tileset needs, and leaves other files alone"
        case .interruptedUploadOfAll: " if it is without --all"
        }
    }
}

extension Basemap {
    /// The problem in the words of the command line; `nil` if the basemap can be shown.
    var message: String? {
        switch problem {
        case .unknownPlaceholder(let found):
            "--basemap has \"\(found)\", expected only {z}, {x}, {y}, {-y}, {s} and {r}"
        case .noURLOfTiles:
            "--basemap is \"\(template)\", expected a URL like https://tile.example.org/{z}/{x}/{y}.png"
        case .noAttribution:
            "--basemap needs --basemap-attribution with the credit that the tiles' provider asks for, or \"\" for your "
                + "own tiles"
        case nil: nil
        }
    }
}
