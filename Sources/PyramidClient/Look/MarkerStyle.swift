import Foundation
import PyramidTiles

/// How a marker is drawn: a circle with a label, or a ring around one.
public struct MarkerLook: Hashable, Sendable {
    /// A part of a ring, and the number of points that it stands for.
    public struct Slice: Hashable, Sendable {
        public let color: MarkerColor
        public var count: Int
    }

    /// In points, including the thin line around the marker.
    public var radius: Double
    public var label: String
    /// The colour of the circle, or of the disc inside a ring.
    public var color: MarkerColor
    public var textColor: MarkerColor
    /// The colour of the thin line around the marker.
    public var outline = MarkerColor.outline
    /// The ring, clockwise from the top; empty for a plain circle.
    public var slices: [Slice] = []
    /// The name of an SF Symbol to draw instead of the label.
    public var symbol: String?
}

/// How markers look. Without changes, as on the web: circles that grow with the logarithm of their number of points.
///
/// ```swift
/// var style = MarkerStyle(colorBy: "kind")
/// style.countLabel = .ninetyNine
/// style.customize = { marker, look in
///     if marker.marker.pointCount == 1 { (look.radius, look.symbol) = (12, "cup.and.saucer.fill") }
/// }
/// ```
public struct MarkerStyle {
    /// The column whose values decide the colours: of `--filter-by`, `--count-by` or `--group-by`. Clusters become rings.
    public var colorBy: String?
    /// The colours of values. Others have one of ten colours, chosen by their names.
    public var colors: [FacetValue: MarkerColor]
    /// The label of clusters: "1.2k", "1234" or "99+".
    public var countLabel = CountLabel.abbreviated
    /// Changes the look of a marker.
    public var customize: ((FilteredMarker, inout MarkerLook) -> Void)?
    /// The name of a point, for callouts, lists and VoiceOver. Without a function, its property with a name like "name", or its
    /// id.
    public var name: ((Feature) -> String)?

    public init(colorBy: String? = nil, colors: [FacetValue: MarkerColor] = [:]) {
        (self.colorBy, self.colors) = (colorBy, colors)
    }

    /// Colours for the ranges of a column, or for its ten most frequent values.
    /// - Parameter counts: of ``RemoteTiles/counts(of:filter:inView:)``.
    public static func colors(of counts: [FacetValueCounts]) -> [FacetValue: MarkerColor] {
        let ranges = counts.filter { if case .range = $0.value { true } else { false } }
        if ranges.count > 1 {
            return Dictionary(
                uniqueKeysWithValues: ranges.enumerated().map {
                    ($1.value, MarkerColor.ramp(Double($0) / Double(ranges.count - 1)))
                })
        }
        let frequent = counts.filter { $0.value != .absent }.enumerated()
            .sorted { ($1.element.all, $0.offset) < ($0.element.all, $1.offset) }
        return Dictionary(uniqueKeysWithValues: zip(frequent.map(\.element.value), MarkerColor.palette))
    }

    /// The colour of a value in the column ``colorBy``.
    public func color(of value: FacetValue) -> MarkerColor {
        colors[value] ?? (value == .absent ? .noValue : .ofValue(named: value.name))
    }

    /// - Parameter distance: the minimum distance between the markers of the zoom, in points. Circles are no wider.
    public func look(of marker: FilteredMarker, distance: Double = 40) -> MarkerLook {
        var look = plainLook(of: marker, distance)
        customize?(marker, &look)
        return look
    }

    private func plainLook(of marker: FilteredMarker, _ distance: Double) -> MarkerLook {
        let (isOne, count) = (marker.isExact && marker.count == 1, marker.count)
        // In a few points, tenfold counts differ best if clusters of few markers are all small.
        let share = pow(min(log10(Double(count)) / 5, 1), 1.5)
        let grown = min(distance / 2, 11 + (min(distance / 2, 28) - 11) * share)
        let radius = isOne ? min(6.5, distance / 4) : grown
        let label = isOne ? "" : countLabel.text(of: count)
        guard marker.isExact else {
            return MarkerLook(radius: radius, label: "~\(label)", color: .other, textColor: .textOnOther)
        }
        let slices = slices(of: marker)
        var look = MarkerLook(radius: radius, label: label, color: .point, textColor: .textOnColor)
        if isOne, slices.count < 2 {
            look.color = slices.first?.color ?? .point
        } else if slices.isEmpty {
            look.color = MarkerColor.counts.first { $0.leastCount <= count }?.color ?? .point
        } else {
            // Also of one value: a filled circle of a few points would outweigh the rings of many.
            (look.color, look.textColor, look.slices) = (.middle, .text, slices)
        }
        return look
    }

    private func slices(of marker: FilteredMarker) -> [MarkerLook.Slice] {
        guard let counts = colorBy.flatMap({ marker.counts(of: $0) ?? marker.marker.counts(of: $0) }) else { return [] }
        // A cluster without a value belongs to no group, or to the group without a value: only the app can tell.
        if counts.keys.elementsEqual([.absent]), colors[.absent] == nil { return [] }
        return counts.sorted { $0.key.comesBefore($1.key) }.reduce(into: []) { slices, entry in
            let color = color(of: entry.key)
            if let index = slices.firstIndex(where: { $0.color == color }) {
                slices[index].count += entry.value
            } else {
                slices.append(MarkerLook.Slice(color: color, count: entry.value))
            }
        }
    }
}

extension Marker {
    /// The number of points with each value of a property, from a cluster's counts (`--count-by`) or from the property of a
    /// point or a group.
    fileprivate func counts(of column: String) -> [FacetValue: Int] {
        guard case .object(let counts) = properties[column] else {
            let value = properties[column].flatMap { $0 == .null || $0 == "" ? nil : FacetValue.value($0) }
            return [value ?? .absent: pointCount]
        }
        return counts.reduce(into: [:]) { counts, entry in
            if case .number(let number) = entry.value, let count = Int(exactly: number) {
                counts[.value(.string(entry.key))] = count
            }
        }
    }
}

extension FacetValue {
    /// As in PyramidWeb, where colours are chosen by it.
    var name: String {
        func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
        return switch self {
        case .absent, .value(.null), .value(.array), .value(.object): ""
        case .value(.string(let text)): text
        case .value(.number(let number)): text(number)
        case .value(.bool(let bool)): "\(bool)"
        case .range(nil, let to?): "<\(text(to))"
        case .range(let from?, let to?): "\(text(from))-\(text(to))"
        case .range(let from, nil): "\(from.map(text) ?? "")+"
        case .dates(let from, let to): "\(from ?? "")/\(to ?? "")"
        }
    }

    /// The order in rings: ranges and numbers ascending, then texts, and points without a value last.
    fileprivate func comesBefore(_ other: FacetValue) -> Bool {
        let (own, their) = (rank, other.rank)
        return own.kind == their.kind && own.number == their.number
            ? name < other.name : (own.kind, own.number) < (their.kind, their.number)
    }

    private var rank: (kind: Int, number: Double) {
        switch self {
        case .range(let from, _): (0, from ?? -.infinity)
        case .value(.number(let number)): (0, number)
        case .value, .dates: (1, 0)
        case .absent: (2, 0)
        }
    }
}

extension MarkerStyle {
    /// The number of points of a cluster, or the name of a point.
    public func title(of marker: FilteredMarker) -> String {
        if case .point(let point) = marker.marker { return name(of: point) }
        return "\(marker.isExact ? "" : "about ")\(marker.count)"
    }

    /// The name of a point; see ``name``.
    public func name(of point: Feature) -> String {
        if let name { return name(point) }
        let texts: [(name: String, text: String)] = point.properties.sorted { $0.key < $1.key }.compactMap {
            if case .string(let text) = $0.value, !text.isEmpty { ($0.key.lowercased(), text) } else { nil }
        }
        let named =
            texts.first { ["name", "title", "label"].contains($0.name) }
            ?? texts.first { text in ["name", "title"].contains { text.name.contains($0) } }
        return named?.text ?? point.id.map { FacetValue.value($0).name } ?? texts.first?.text ?? ""
    }
}
