import PyramidStore
import PyramidTiles

/// How a tileset differs from what its input makes.
public struct InputVerificationReport: Codable, Equatable, Sendable {
    /// How many differences of each kind are listed; any more are only counted.
    public static let listedDifferencesPerKind = 100

    /// A file, or a value in a file, that differs from what the input makes.
    public struct Difference: Codable, Hashable, Sendable {
        public enum Kind: String, Codable, CaseIterable, Sendable {
            /// The manifest states options with which the input can't be built.
            case wrongOptions
            /// A value in a file beside the tiles.
            case wrongMetadata
            case missingTile
            /// The input doesn't make the file. This and the next kind include bundles.
            case extraTile
            case wrongTile
        }

        public let kind: Kind
        /// The path of the file in the tileset.
        public let file: String
        /// The first place that differs, in a vector tile as GeoJSON, such as `features[0].properties.name`; or what
        /// differs otherwise. `nil` if the whole file does.
        public let path: String?
        /// The JSON in the tileset, shortened; `nil` if there is none.
        public let found: String?
        /// The JSON that the input makes, shortened; `nil` if there is none.
        public let expected: String?

        init(_ kind: Kind, in file: String, path: String? = nil, found: String? = nil, expected: String? = nil) {
            (self.kind, self.file, self.path, self.found, self.expected) = (kind, file, path, found, expected)
        }
    }

    /// How many rows an input had when the tileset was built, and how many it has now.
    public struct InputChange: Codable, Equatable, Sendable {
        public let rowsReadThen, rowsReadNow: Int
    }

    /// `nil` if the rows are the same.
    public let inputChange: InputChange?
    /// The first differences of each kind, in the order of the kinds and of the files.
    public let differences: [Difference]
    /// The number of differences of each kind, by its name.
    public let differenceCounts: [String: Int]

    init(_ inputChange: InputChange?, _ differences: [Difference], counts: [Difference.Kind: Int]) {
        (self.inputChange, self.differences) = (inputChange, differences)
        differenceCounts = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }

    /// Whether the tileset matches its input.
    public var isSame: Bool { differenceCounts.isEmpty }

    /// All differences, listed or not.
    public var differenceCount: Int { differenceCounts.values.reduce(0, +) }
}

extension InputVerificationReport.InputChange: CustomStringConvertible {
    /// One line.
    public var description: String {
        let (then, now) = (NumberText.grouped(rowsReadThen), NumberText.grouped(rowsReadNow))
        return "the input has changed since the build"
            + (then == now ? ", though it still has \(now) rows" : ": rows read then \(then), now \(now)")
    }
}

extension InputVerificationReport.Difference: CustomStringConvertible {
    /// One line: "tiles/3/4/2.json: features[0].properties.name is ...".
    public var description: String {
        switch kind {
        case .wrongOptions: "the input, or the options in \(file), have changed since the build: \(found ?? "")"
        case .missingTile: "\(file): is missing, but the input makes it"
        case .extraTile: "\(file): the input doesn't make it"
        case .wrongMetadata, .wrongTile:
            "\(file): " + (path.map { "\($0) " } ?? "") + (found.map { "is \($0)" } ?? "is missing")
                + ", expected \(expected ?? "nothing") (input)"
        }
    }
}

/// Collects differences: lists the first of each kind and counts them all.
struct DifferenceLog {
    private var differences: [InputVerificationReport.Difference] = []
    private var counts: [InputVerificationReport.Difference.Kind: Int] = [:]
    var inputChange: InputVerificationReport.InputChange?

    /// - Parameter difference: made only if it is listed.
    mutating func add(
        _ kind: InputVerificationReport.Difference.Kind, _ difference: () throws -> InputVerificationReport.Difference
    ) rethrows {
        if counts[kind, default: 0] < InputVerificationReport.listedDifferencesPerKind {
            differences.append(try difference())
        }
        counts[kind, default: 0] += 1
    }

    /// Adds what differs in the JSON of a file beside the tiles.
    mutating func add(_ found: [JSONDifference], in file: String) {
        for one in found {
            add(.wrongMetadata) {
                .init(.wrongMetadata, in: file, path: one.path, found: one.found, expected: one.expected)
            }
        }
    }

    var report: InputVerificationReport {
        let kinds = InputVerificationReport.Difference.Kind.allCases
        return InputVerificationReport(
            inputChange, kinds.flatMap { kind in differences.filter { $0.kind == kind } }, counts: counts)
    }
}
