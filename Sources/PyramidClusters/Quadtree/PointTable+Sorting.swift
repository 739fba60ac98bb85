import PyramidInput
import PyramidTiles

extension PointTable {
    /// Sorts the points along the Z-order curve, and points at the same place by their rows.
    /// - Parameter jobs: the number of threads.
    /// - Returns: the quadtree, and for each of its points the number before sorting.
    package mutating func sort(in groups: PointGroups, jobs: Int) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        let (quadtree, order) = quadtree(groups, jobs: jobs)
        // Comparing rows has loaded pages of the inputs.
        for input in inputs.inputs { input.releasePages() }
        reorder(by: order, jobs: jobs)
        return (quadtree, order)
    }

    /// The bytes of a point's row, without the line end; valid as long as the inputs live.
    package func rowBytes(of point: Int) -> UnsafeRawBufferPointer {
        PointTable.row(at: rowStarts[point], inputs.bases.span, comparableInputs.span).bytes
    }

    /// Whether a point's row precedes another's by content (``InputRow``), in any inputs.
    package func rowPrecedes(_ first: Int, _ second: Int) -> Bool {
        let (bases, inputsToCompare) = (inputs.bases.span, comparableInputs.span)
        return PointTable.row(at: rowStarts[first], bases, inputsToCompare)
            .precedes(PointTable.row(at: rowStarts[second], bases, inputsToCompare))
    }

    private func quadtree(_ groups: PointGroups, jobs: Int) -> (quadtree: LinearQuadtree, order: [UInt32]) {
        // Spans avoid contended reference counting across threads.
        let (longitudes, latitudes) = (longitudes.span, latitudes.span)
        let (starts, bases, inputsToCompare) = (rowStarts.span, inputs.bases.span, comparableInputs.span)
        return LinearQuadtree.sorting(
            count: count,
            worldPoint: {
                WebMercator.project(
                    Coordinate(longitudeMicrodegrees: longitudes[$0], latitudeMicrodegrees: latitudes[$0]))
            },
            precedes: {
                PointTable.row(at: starts[$0], bases, inputsToCompare)
                    .precedes(PointTable.row(at: starts[$1], bases, inputsToCompare))
            },
            groupNumbers: groups.numbers, idMasks: groups.idMasks, jobs: jobs)
    }

    private static func row(at start: UInt64, _ bases: Span<Int>, _ inputsToCompare: Span<ComparableInput>) -> InputRow
    {
        let (input, start) = InputSequence.position(of: start, bases: bases)
        return InputRow(input: inputsToCompare[input], start: start)
    }
}
