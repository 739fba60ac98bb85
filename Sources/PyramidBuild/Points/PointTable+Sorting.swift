import PyramidTiles

extension PointTable {
    /// Sorts the points by their places on the Z-order curve, and those of one place by their records.
    /// - Parameter jobs: how many threads work at once.
    mutating func sort(in sections: PointSections, jobs: Int) -> LinearQuadtree {
        let (quadtree, order) = quadtree(sections, jobs: jobs)
        reorder(by: order, jobs: jobs)
        return quadtree
    }

    /// Whether the record of one point comes before that of another by content (``RecordOrder``), whatever their inputs.
    func recordPrecedes(_ first: Int, _ second: Int) -> Bool {
        RecordOrder.precedes(
            PointTable.record(at: recordStarts[first], inputs.bases.span, recordSources.span),
            PointTable.record(at: recordStarts[second], inputs.bases.span, recordSources.span))
    }

    private func quadtree(_ sections: PointSections, jobs: Int) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        // Whoever holds a span is not counted as whoever holds an array is: threads would wait for each other to count.
        let (longitudes, latitudes) = (longitudes.span, latitudes.span)
        let (starts, bases, sources) = (recordStarts.span, inputs.bases.span, recordSources.span)
        return LinearQuadtree.sorting(
            count: count,
            worldPoint: {
                WebMercator.project(
                    Coordinate(longitudeMicrodegrees: longitudes[$0], latitudeMicrodegrees: latitudes[$0]))
            },
            precedes: {
                RecordOrder.precedes(
                    PointTable.record(at: starts[$0], bases, sources), PointTable.record(at: starts[$1], bases, sources)
                )
            },
            sections: sections, jobs: jobs)
    }

    private static func record(at start: UInt64, _ bases: Span<Int>, _ sources: Span<RecordSource>) -> Record {
        let (input, start) = InputSequence.place(of: start, bases: bases)
        return Record(source: sources[input], start: start)
    }
}
