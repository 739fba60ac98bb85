import PyramidBuild
import PyramidInput
import PyramidTiles

extension PartPlan {
    /// Parts that fit into the limits.
    /// - Parameters:
    ///   - memory: that the build may use.
    ///   - unclustered: the number of points that never merge.
    /// - Throws: ``MemoryError`` if a part or the join needs more memory.
    init(
        _ options: BuildOptions, _ spool: RowSpool, _ memory: PartMemory, unclustered: Int
    ) throws(MemoryError) {
        let (clustering, limits) = (options.clustering, memory.limits)
        if let obstacle = options.partObstacle {
            let estimate = MemoryEstimate(
                pointCount: spool.count, clustering: clustering, clusters: options.clusters)
            var error = MemoryError(
                estimate: estimate, limitBytes: memory.limitBytes, isAvailable: memory.isAvailable)
            error.obstacle = obstacle
            throw error
        }
        let fixed = MemoryEstimate.fixedBytes(options)
        let handedOver = unclustered + (options.clusters.joinsTexts ? spool.count : 0)
        if handedOver > 0 {
            let option: OptionName = options.clusters.joinsTexts ? .accumulateAttribute : .unclustered
            try memory.check(
                fixed + handedOver * MemoryEstimate.bytesPerJoinRow, alternative: "leave out \(option)"
            ) { "\(NumberText.counted(handedOver, "row")) are needed at once because of \(option), which takes \($0)" }
        }
        let cutZoom = clustering.cutZoom(
            occupiedCells: { spool.occupiedCells(atZoom: $0, limit: limits.joinMarkers) },
            joinMarkers: limits.joinMarkers)
        self.init(
            cells: spool.cells(atZoom: clustering.countingZoom(cutZoom: cutZoom)), clustering: clustering,
            cutZoom: cutZoom, rowsPerPart: limits.rowsPerPart)
        if let largest = parts.max(by: { $0.rowsWithHalo < $1.rowsWithHalo }), largest.rowsWithHalo > limits.rowsPerPart
        {
            let bytes = fixed + largest.rowsWithHalo * MemoryEstimate.bytesPerPartRow(options)
            let points = NumberText.counted(largest.rowsWithHalo, "point")
            try memory.check(bytes) {
                "the area of tile \("\(largest.tile)") can't be split and needs \($0) for \(points)"
            }
        }
    }
}

extension PartPlan {
    /// The parts that can have tiles. Without rows of its own, a part has tiles only if clusters are displaced from their
    /// anchors.
    func partsWithTiles(_ clustering: ClusteringOptions) -> [Part] {
        parts.filter { $0.rows > 0 || clustering.position == .centroid && $0.rowsWithHalo > 0 }
    }
}

extension ClusterContentOptions {
    /// Whether clusters join texts of all their points, whose rows parts hand over.
    fileprivate var joinsTexts: Bool {
        accumulate.contains { $0.operation == .comma || $0.operation == .concat }
    }
}
