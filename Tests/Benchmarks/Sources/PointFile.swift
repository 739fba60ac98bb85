import Foundation
import PyramidTiles

/// A file of generated points; the same shape and count give the same rows.
struct PointFile {
    enum Shape: String {
        /// 94 % around 5,000 gaussian centres with power-law weights, 5 % anywhere, 1 % at the place of another row.
        case clustered
        /// Anywhere between 80 degrees south and north, evenly on the sphere.
        case uniform
    }

    enum Format: String {
        case csv
        /// A GeoJSON feature on each line.
        case ndjson
    }

    let shape: Shape
    let format: Format
    let count: Int

    var name: String { "\(shape.rawValue)-\(count).\(format.rawValue)" }

    /// Writes the file into a directory unless it is there.
    func path(in directory: String) throws -> String {
        let path = "\(directory)/\(name)"
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        guard let file = fopen(path + ".part", "w") else { throw BenchmarkError("can't write \(path).part") }
        var places = PlaceGenerator(shape: shape)
        var random = SeededRandom(seed: 2)
        var buffer = ByteBuffer(capacity: 1 << 20)
        if format == .csv { buffer.append("id,name,category,value,lat,lon\n") }
        for row in 1...count {
            append(row: row, at: places.next(), &random, to: &buffer)
            guard buffer.count > 1 << 19 || row == count else { continue }
            let written = buffer.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
            guard written == buffer.count else { throw BenchmarkError("can't write \(path).part") }
            buffer.removeAll()
        }
        guard fclose(file) == 0, rename(path + ".part", path) == 0 else { throw BenchmarkError("can't write \(path)") }
        return path
    }

    private func append(row: Int, at place: Place, _ random: inout SeededRandom, to buffer: inout ByteBuffer) {
        let name = "\(PointFile.adjectives[random.number(below: 8)]) \(PointFile.nouns[random.number(below: 8)])"
        // The first categories are the most frequent.
        let category = PointFile.categories[Int(Double(PointFile.categories.count) * pow(random.unit(), 1.6))]
        let cents = Int32(min(100 * exp(3 + 1.2 * random.normal()), 200_000))
        switch format {
        case .csv:
            buffer.append(Array("\(row),\(name) \(row % 1000),\(category),".utf8))
            buffer.append(microdegrees: cents * 10_000)
            buffer.append(",")
            buffer.append(microdegrees: place.latitude)
            buffer.append(",")
            buffer.append(microdegrees: place.longitude)
            buffer.append("\n")
        case .ndjson:
            buffer.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
            buffer.append(microdegrees: place.longitude)
            buffer.append(",")
            buffer.append(microdegrees: place.latitude)
            let properties = "\"id\":\(row),\"name\":\"\(name) \(row % 1000)\",\"category\":\"\(category)\""
            buffer.append(Array("]},\"properties\":{\(properties),\"value\":".utf8))
            buffer.append(microdegrees: cents * 10_000)
            buffer.append("}}\n")
        }
    }

    private static let categories = [
        "restaurant", "shop", "cafe", "hotel", "park", "bank", "parking", "office", "school", "station", "museum",
    ]
    private static let adjectives = ["Old", "New", "Grand", "Little", "Royal", "Central", "Golden", "Upper"]
    private static let nouns = ["Garden", "Bridge", "Harbour", "Mill", "Castle", "Market", "Square", "Corner"]
}

/// Millionths of a degree.
struct Place {
    let latitude, longitude: Int32
}

/// One place after the other.
struct PlaceGenerator {
    private struct Centre {
        let latitude, longitude, sigmaKilometres: Double
    }

    private let shape: PointFile.Shape
    private var random = SeededRandom(seed: 1)
    private var centres: [Centre] = []
    /// The sums of the weights of the centres up to each.
    private var weightSums: [Double] = []
    private var places: [Place] = []

    private static let centreCount = 5000
    private static let kilometresPerDegree = 111.195

    init(shape: PointFile.Shape) {
        self.shape = shape
        var weightSum = 0.0
        for rank in 1...PlaceGenerator.centreCount {
            let (latitude, longitude) = anywhere(fromLatitude: -50, to: 65)
            let sigma = exp(log(0.5) + random.unit() * log(50 / 0.5))
            centres.append(Centre(latitude: latitude, longitude: longitude, sigmaKilometres: sigma))
            weightSum += pow(Double(rank), -0.8)
            weightSums.append(weightSum)
        }
    }

    mutating func next() -> Place {
        guard shape == .clustered else { return place(anywhere(fromLatitude: -80, to: 80)) }
        let kind = random.unit()
        let next =
            if kind < 0.01, !places.isEmpty {
                places[random.number(below: places.count)]
            } else if kind < 0.06 {
                place(anywhere(fromLatitude: -80, to: 80))
            } else {
                place(aroundCentre())
            }
        places.append(next)
        return next
    }

    private mutating func aroundCentre() -> (Double, Double) {
        let share = random.unit() * (weightSums.last ?? 0)
        var range = 0..<weightSums.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = weightSums[middle - 1] <= share ? middle..<range.upperBound : range.lowerBound..<middle
        }
        let centre = centres[range.lowerBound]
        let degrees = centre.sigmaKilometres / PlaceGenerator.kilometresPerDegree
        return (
            centre.latitude + random.normal() * degrees,
            centre.longitude + random.normal() * degrees / cos(centre.latitude * .pi / 180)
        )
    }

    private mutating func anywhere(fromLatitude south: Double, to north: Double) -> (Double, Double) {
        let (low, high) = (sin(south * .pi / 180), sin(north * .pi / 180))
        return (asin(low + random.unit() * (high - low)) * 180 / .pi, random.unit() * 360 - 180)
    }

    private func place(_ degrees: (latitude: Double, longitude: Double)) -> Place {
        let longitude = (degrees.longitude + 540).truncatingRemainder(dividingBy: 360) - 180
        return Place(
            latitude: Int32((min(max(degrees.latitude, -80), 80) * 1e6).rounded()),
            longitude: Int32((longitude * 1e6).rounded()))
    }
}
