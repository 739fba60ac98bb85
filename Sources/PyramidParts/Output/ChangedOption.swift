import PyramidStore
import PyramidTiles

/// An option that has another value than in the last build of a tileset.
public struct ChangedOption: Equatable, Sendable {
    /// The path in the manifest, without the object that holds the options.
    public let name: String
    /// The values as JSON; `nil` for none.
    public let before, now: String?
}

extension ChangedOption {
    /// - Parameter choosesMaxZoom: whether the new build has chosen its max zoom, which is no option then.
    /// - Returns: those that the manifests state, at most ``limit``.
    static func all(from last: Manifest, to new: Manifest, choosesMaxZoom: Bool) -> [ChangedOption] {
        var last = last
        // Clusters end one zoom before the max zoom by default.
        if [last, new].allSatisfy({ $0.options.clusterMaxZoom == $0.options.maxZoom - 1 }) {
            last.options.clusterMaxZoom = new.options.clusterMaxZoom
        }
        if choosesMaxZoom { last.options.maxZoom = new.options.maxZoom }
        guard let last = try? last.encoded(), let new = try? new.encoded(),
            let differences = try? JSONComparison.differences(
                of: last, from: new, limit: limit, ignoring: { !isOption($0) })
        else { return [] }
        return differences.map { difference in
            let group = groups.first { difference.path.hasPrefix($0) } ?? ""
            return ChangedOption(
                name: String(difference.path.dropFirst(group.count)), before: difference.found.map(onOneLine),
                now: difference.expected.map(onOneLine))
        }
    }

    static let limit = 12

    private static let groups = ["options.", "content.clusters.", "content.storage.", "content.columns.", "content."]
    /// What follows from the input or the program.
    private static let others = [
        "content.properties", "content.id_property", "content.compressor", "content.renamed",
    ]

    /// Whether a path is that of an option, or leads to options.
    private static func isOption(_ path: String) -> Bool {
        ["", "options", "content"].contains(path) || groups.contains(where: path.hasPrefix) && !others.contains(path)
    }

    /// The manifest has a line for each value.
    private static func onOneLine(_ json: String) -> String {
        json.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
