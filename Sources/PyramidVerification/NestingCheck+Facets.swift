import PyramidTiles

/// How many members of a cluster have each combination of values, and the parents that records of bundles state.
///
/// Whatever is known of the hierarchy is used: all of it where it can be computed (``NestingCheck/parents``), else what records
/// state, and that a cluster is part of the cluster with its id.
extension NestingCheck {
    mutating func checkFacets() {
        guard let facets else { return }
        var sameID: [UInt64: Int] = [:]
        for (index, record) in coarse.records.enumerated() where !record.isPoint { sameID[record.identity] = index }
        // Pairs of a cluster and a member, in the order of the clusters.
        var pairs: [(cluster: UInt32, member: UInt32)] = []
        var isComplete = true
        for index in fine.records.indices {
            let parent = checkedParent(of: index, sameID)
            if let parent {
                pairs.append((UInt32(parent), UInt32(index)))
            } else if parents.isEmpty, !isShownAlready[index] {
                isComplete = false
            }
        }
        pairs.sort { $0 < $1 }
        var sums = [Int](repeating: 0, count: facets.counts.count + 1)
        var next = 0
        for (index, record) in coarse.records.enumerated() where !record.isPoint {
            var tally = MemberTally(in: coarse.boundingBox(index))
            var numbers: [UInt32] = []
            while next < pairs.count, pairs[next].cluster == index {
                let member = Int(pairs[next].member)
                tally.add(fine.boundingBox(member), pointCount: fine.pointCount(member))
                fine.details.forEachFacet(fine.records[member].details) {
                    if sums[Int($0.combination)] == 0 { numbers.append($0.combination) }
                    sums[Int($0.combination)] += Int($0.count)
                }
                next += 1
            }
            if parents.isEmpty, isComplete && precision.isExact || tally.pointCount > coarse.pointCount(index) {
                check(tally, of: index)
            }
            check(&sums, numbers, of: index, isComplete: tally.pointCount == coarse.pointCount(index), facets)
        }
    }

    /// Compares a cluster's facets with the sums of its members, and clears the sums.
    /// - Parameter isComplete: whether all members are known.
    private mutating func check(
        _ sums: inout [Int], _ numbers: [UInt32], of index: Int, isComplete: Bool, _ facets: FacetNumbers
    ) {
        var problem: (number: UInt32, found: Int, expected: Int)?
        coarse.details.forEachFacet(coarse.records[index].details) { facet in
            let (found, sum) = (Int(facet.count), sums[Int(facet.combination)])
            if isComplete ? found != sum : found < sum { problem = (facet.combination, found, sum) }
            sums[Int(facet.combination)] = 0
        }
        for number in numbers {
            if sums[Int(number)] > 0 { problem = (number, 0, sums[Int(number)]) }
            sums[Int(number)] = 0
        }
        guard let problem else { return }
        add(
            .wrongContent, index,
            "counts \(problem.found) points with \(facets.name(of: problem.number)), expected "
                + "\(isComplete ? "" : "at least ")\(problem.expected) as its members at zoom \(fine.zoom)")
    }

    /// The cluster of ``coarse`` unless it is too far away to contain the marker of ``fine``.
    private func near(_ cluster: Int?, _ index: Int) -> Int? {
        guard let cluster else { return nil }
        let (one, other) = (anchor(of: coarse.records[cluster], in: coarse), anchor(of: fine.records[index], in: fine))
        let reach = Reach(options, precision).shownJoinUnits(atZoom: coarse.zoom)
        return reach > 1 << 32 || one.point.isCloser(than: reach, to: other.point) ? cluster : nil
    }

    /// The cluster of ``coarse`` that a marker of ``fine`` is part of; `nil` for none, or if it isn't known.
    private mutating func checkedParent(of index: Int, _ sameID: [UInt64: Int]) -> Int? {
        let record = fine.records[index]
        let stated = fine.details.parent(record.details)
        let isClustered = coarse.zoom <= options.clusterMaxZoom
        var parent = stated > MarkerDetails.Parent.none ? near(sameID[stated], index) : nil
        if parents.isEmpty {
            if parent == nil, !record.isPoint, stated == MarkerDetails.Parent.unknown || !isClustered {
                parent = near(sameID[record.identity], index)
            }
        } else {
            parent = parents[index] < 0 || coarse.records[Int(parents[index])].isPoint ? nil : Int(parents[index])
        }
        switch stated {
        case MarkerDetails.Parent.unknown: break
        case MarkerDetails.Parent.none:
            let isAlone = isShownAlready[index] || !isClustered || !parents.isEmpty && parent == nil
            // Rounded places don't tell which point of the zoom before this is.
            let isUnknown = record.isPoint && record.identity == 0 && !precision.isExact
            if !isAlone, !isUnknown {
                add(.wrongContent, fine: index, "states no parent, expected the cluster at zoom \(coarse.zoom)")
            }
        case _ where parent == nil || coarse.records[parent ?? 0].identity != stated || isShownAlready[index]:
            let expected = parents.isEmpty ? nil : parent.map { coarse.records[$0].identity ^ coarse.idMask }
            add(
                .wrongContent, fine: index,
                "states the parent \(stated ^ fine.idMask), expected "
                    + (expected.map(String.init) ?? "a cluster of zoom \(coarse.zoom) or none"))
        default: break
        }
        return parent
    }
}
