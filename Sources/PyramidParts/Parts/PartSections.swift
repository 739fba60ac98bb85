import PyramidClusters
import PyramidInput
import PyramidStore
import PyramidTiles

/// The names of the sections of a part's file.
enum PartSection {
    static let manifest = "manifest"
    /// The rows that are handed over, in the order of their points, each followed by a line end.
    static let rows = "rows"
    /// Instead of ``rows``, if the same process joins the parts: each row as a ``RowSpool/Row``.
    static let places = "places"
    /// The markers of the cut zoom, in the order of their anchors.
    static let candidates = "candidates"
    /// For each counted column, its values as text, in the order of their bytes.
    static let texts = "texts"
    /// The aggregates of all points of the part itself, without the halo.
    static let totals = "totals"
    /// The ids of the part's own rows, each after its length, in the order of their points.
    static let ids = "ids"
    /// The ``CellDigests`` of the rows near the part's border.
    static let cells = "cells"
}

/// A marker of the cut zoom as it is handed over.
struct PartCandidate {
    /// The number of its anchor's row among those handed over.
    var anchorRow: Int
    /// The numbers of its rows that are handed over, ascending; the anchor's is always one of them.
    var rows: [Int]
    /// `nil` for a single point.
    var cluster: KnownCluster?
}

extension PartCandidate {
    /// Whether a marker can have these numbers, so that adding them up can't overflow.
    func isSound(rowCount: Int, expansionZooms: ClosedRange<Int8>) -> Bool {
        guard rows.allSatisfy({ $0 < rowCount }), zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }),
            rows.contains(anchorRow)
        else { return false }
        guard let cluster else { return true }
        return cluster.pointCount <= InputLimits.points
            && max(cluster.eastSum.magnitude, cluster.southSum.magnitude) <= UInt64(cluster.pointCount) << 32
            && (cluster.expansionZoom == ClusterTable.Entry.neverSplits
                || expansionZooms.contains(cluster.expansionZoom))
            && cluster.aggregates.isSound(pointCount: Int(cluster.pointCount))
    }
}

extension AggregateValues {
    /// Whether `pointCount` points can have these aggregates.
    func isSound(pointCount: Int) -> Bool {
        (0...pointCount * FixedDecimal.weightLimit).contains(weight)
            && measures.allSatisfy { $0.count <= pointCount && $0.result.isSum(ofNumbers: pointCount) }
            && categories.allSatisfy { counts in
                zip(counts, counts.dropFirst()).allSatisfy { $0.category < $1.category }
                    && counts.reduce(0) { $0 + Int($1.count) } <= pointCount
            }
    }
}

extension ByteBuffer {
    mutating func append(_ candidate: PartCandidate) {
        append(varint: UInt64(candidate.anchorRow))
        append(varint: UInt64(candidate.cluster?.pointCount ?? 1))
        guard let cluster = candidate.cluster else { return }
        append(varint: cluster.isAlone ? 1 : 0)
        append(zigzag: Int64(cluster.expansionZoom))
        for number in cluster.extent.numbers { append(zigzag: Int64(number)) }
        append(zigzag: cluster.eastSum)
        append(zigzag: cluster.southSum)
        append(varint: UInt64(candidate.rows.count))
        for row in candidate.rows { append(varint: UInt64(row)) }
        append(cluster.aggregates)
    }

    mutating func append(_ values: AggregateValues) {
        append(varint: UInt64(values.weight))
        for measure in values.measures {
            let bits = UInt128(bitPattern: measure.result.scaled)
            append(littleEndian: UInt64(truncatingIfNeeded: bits), byteCount: 8)
            append(littleEndian: UInt64(truncatingIfNeeded: bits >> 64), byteCount: 8)
            append(varint: UInt64(measure.count))
        }
        for counts in values.categories { append(counts) }
    }

    mutating func append(texts: [[UInt8]]) {
        append(varint: UInt64(texts.count))
        for text in texts { append(text: text) }
    }

    mutating func append(text: [UInt8]) {
        append(varint: UInt64(text.count))
        append(text)
    }
}

extension PartBytes {
    /// - Parameters:
    ///   - measureCount: how many columns are summed up or reduced to another number.
    ///   - categories: by counted column: the join's number of each of the part's values.
    mutating func candidate(measureCount: Int, categories: [[UInt32]]) -> PartCandidate? {
        guard let anchorRow = count(), let pointCount = count(), pointCount <= Int(UInt32.max) else { return nil }
        guard pointCount > 1 else { return PartCandidate(anchorRow: anchorRow, rows: [anchorRow]) }
        guard let isAlone = count(), isAlone <= 1, let expansionZoom = zigzag().flatMap({ Int8(exactly: $0) }),
            let extent = ClusterExtent(
                numbers: (0..<ClusterExtent.numberCount).compactMap { _ in zigzag().flatMap { Int32(exactly: $0) } }),
            let eastSum = zigzag(), let southSum = zigzag(), let rowCount = count(), rowCount <= pointCount
        else { return nil }
        var rows: [Int] = []
        for _ in 0..<rowCount {
            guard let row = count() else { return nil }
            rows.append(row)
        }
        guard let aggregates = aggregates(measureCount: measureCount, categories: categories) else { return nil }
        return PartCandidate(
            anchorRow: anchorRow, rows: rows,
            cluster: KnownCluster(
                pointCount: UInt32(pointCount), isAlone: isAlone == 1, expansionZoom: expansionZoom, extent: extent,
                eastSum: eastSum, southSum: southSum, aggregates: aggregates))
    }

    mutating func aggregates(measureCount: Int, categories: [[UInt32]]) -> AggregateValues? {
        guard let weight = count() else { return nil }
        var values = AggregateValues(weight: weight)
        for _ in 0..<measureCount {
            guard let low = word(), let high = word(), let count = count(), count <= Int(UInt32.max) else { return nil }
            let result = FixedDecimal(scaled: Int128(bitPattern: UInt128(high) << 64 | UInt128(low)))
            values.measures.append(.init(result: result, count: UInt32(count)))
        }
        for numbers in categories {
            guard let counts = counts(), counts.allSatisfy({ $0.category < numbers.count }) else { return nil }
            values.categories.append(counts.map { .init(category: numbers[Int($0.category)], count: $0.count) })
        }
        return values
    }

    mutating func texts() -> [[UInt8]]? {
        guard let textCount = count() else { return nil }
        var texts: [[UInt8]] = []
        for _ in 0..<textCount {
            guard let text = text() else { return nil }
            texts.append(Array(text))
        }
        return texts
    }

    mutating func text() -> UnsafeRawBufferPointer? { count().flatMap { bytes($0) } }

    /// Any eight bytes.
    mutating func word() -> UInt64? {
        bytes(8).map { $0.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
    }
}
