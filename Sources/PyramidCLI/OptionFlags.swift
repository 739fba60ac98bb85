import PyramidTiles

extension OptionName {
    /// How the command line spells the option: its name with dashes, except where tippecanoe has another.
    var flag: String {
        switch self {
        case .clusterMaxZoom: "--cluster-maxzoom"
        default: "--" + words.replacing(" ", with: "-")
        }
    }
}

extension OptionMessage {
    /// The message for the user of the command line.
    var withFlags: String { spelled(\.flag, commands: \.commandLine) }
}

extension SuggestedCommand {
    /// How the command line spells the command.
    fileprivate var commandLine: String {
        switch self {
        case .buildFromOutput(let command): "\(command) | pyramid build - OUT"
        case .makeSchema: "\(self): pyramid schema INPUT ..."
        }
    }
}
