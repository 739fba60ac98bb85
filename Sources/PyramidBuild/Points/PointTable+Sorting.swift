import PyramidTiles

extension PointTable {
    /// Sorts the points along the Z-order curve, and points at the same place by their rows.
    /// - Parameter jobs: the number of threads.
    /// - Returns: the quadtree, and for each of its points the number before sorting.
    mutating func sort(in groups: PointGroups, jobs: Int) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        let (quadtree, order) = quadtree(groups, jobs: jobs)
        // Comparing rows has loaded pages of the inputs.
        for input in inputs.inputs { input.releasePages() }
        reorder(by: order, jobs: jobs)
        return (quadtree, order)
    }

    /// The bytes of a point's row, without the line end; valid as long as the inputs live.
    func rowBytes(of point: Int) -> UnsafeRawBufferPointer {
        PointTable.row(at: rowStarts[point], inputs.bases.span, rowSources.span).bytes
    }

    /// Whether a point's row precedes another's by content (``SourceRow``), in any inputs.
    func rowPrecedes(_ first: Int, _ second: Int) -> Bool {
        let (bases, sources) = (inputs.bases.span, rowSources.span)
        return PointTable.row(at: rowStarts[first], bases, sources)
            .precedes(PointTable.row(at: rowStarts[second], bases, sources))
    }

    private func quadtree(_ groups: PointGroups, jobs: Int) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        // Spans avoid contended reference counting across threads.
        let (longitudes, latitudes) = (longitudes.span, latitudes.span)
        let (starts, bases, sources) = (rowStarts.span, inputs.bases.span, rowSources.span)
        return LinearQuadtree.sorting(
            count: count,
            worldPoint: {
                WebMercator.project(
                    Coordinate(longitudeMicrodegrees: longitudes[$0], latitudeMicrodegrees: latitudes[$0]))
            },
            precedes: {
                PointTable.row(at: starts[$0], bases, sources)
                    .precedes(PointTable.row(at: starts[$1], bases, sources))
            },
            groupNumbers: groups.numbers, idMasks: groups.idMasks, jobs: jobs)
    }

    private static func row(at start: UInt64, _ bases: Span<Int>, _ sources: Span<RowSource>) -> SourceRow {
        let (input, start) = InputSequence.position(of: start, bases: bases)
        return SourceRow(source: sources[input], start: start)
    }
}
