import ArgumentParser
import Foundation

/// What is measured.
enum Work {
    static let encoded = "encoded, dropped"
    static let encodedByOne = "encoded, dropped, 1 job"
    static let compressed = "gzipped, dropped"
    static let compressedByOne = "gzipped, dropped, 1 job"
    static let build = "build"
    static let rebuild = "second build"
    static let verify = "verify"
    static let diskBuild = "build on disk"
    static let floorGzip = "floor: gzip"
    static let floorGzipFiles = "floor: gzip, files"
    static let floorFiles = "floor: files"
    static let floorGzipFile = "floor: gzip, one file"
    static let diskFloorGzipFiles = "floor: gzip, files on disk"
    static let diskFloorFiles = "floor: files on disk"
}

/// What the output is.
enum OutputShape: String, CaseIterable, ExpressibleByArgument {
    case plain
    case bundled
    /// Bundles of points by which clients filter: 11 values by 5 ranges.
    case filtered
    case archive
    /// An archive of vector tiles, with the markers of the other shapes.
    case vectorArchive = "vector archive"

    static let bundleLimit = 256
    static let filterBy = ["category", "value:10:20:50:100"]

    var isArchive: Bool { self == .archive || self == .vectorArchive }

    /// The name of a work that makes or reads this.
    func name(_ work: String) -> String { self == .plain ? work : "\(work), \(rawValue)" }

    /// Of `pyramid build`.
    var buildArguments: [String] {
        switch self {
        case .plain: []
        case .bundled: ["--bundle", "\(OutputShape.bundleLimit)"]
        case .filtered:
            OutputShape.bundled.buildArguments + ["--filter-by", OutputShape.filterBy.joined(separator: ",")]
        case .archive: ["--format", "geojson", "--tile-size", "256"]
        case .vectorArchive: ["--format", "mvt", "--tile-size", "256"]
        }
    }
}

/// What is built.
enum DataSet {
    static let usual = "clustered"
    static let uniform = "uniform"
    static let ndjson = "clustered, NDJSON"
}

/// One run of one work.
struct Measurement: Codable {
    var points: Int
    var data = DataSet.usual
    var work: String
    var run: Int
    var seconds: Double
    var cpuSeconds: Double?
    var peakBytes: Int?
    /// Without the mapped input.
    var peakOwnBytes: Int?
    var stages: [String: Double]?
    var tiles: Int?
}

/// All runs of all works.
struct Results {
    private(set) var measurements: [Measurement] = []

    mutating func add(_ measurement: Measurement) { measurements.append(measurement) }

    func runs(_ points: Int, _ work: String, _ data: String = DataSet.usual) -> [Measurement] {
        measurements.filter { $0.points == points && $0.work == work && $0.data == data }
    }

    /// The median; not a number where it was not measured.
    func seconds(_ points: Int, _ work: String, _ data: String = DataSet.usual) -> Double {
        runs(points, work, data).map(\.seconds).median
    }

    /// The median of what a stage takes when tiles are encoded only.
    func seconds(_ points: Int, stage: String, _ work: String, _ data: String = DataSet.usual) -> Double {
        runs(points, work, data).compactMap { $0.stages?[stage] }.median
    }

    /// How many times as much of something one work takes as another of the same run: the median.
    func ratio(
        _ points: Int, _ work: String, to other: String, _ quantity: (Measurement) -> Double? = { $0.seconds }
    ) -> Double {
        let others = runs(points, other)
        return runs(points, work).compactMap { one in
            guard let other = others.first(where: { $0.run == one.run }).flatMap(quantity) else { return nil }
            return quantity(one).map { $0 / other }
        }.median
    }
}
