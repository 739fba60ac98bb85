import PyramidTiles

/// The `anchors` method when clusters are at their anchors: every marker of the next higher zoom that isn't kept joins
/// the nearest one that is, so each marker's members can be determined exactly.
extension NestingCheck {
    /// What is clustered at a zoom: a marker of the next higher one or, at the last clustered zoom, a micro-cell's
    /// points.
    private struct Candidate {
        let anchor: MortonCode
        let pointCount: Int
        /// Its markers in ``fine``.
        let markers: Range<Int>
    }

    /// Where a candidate belongs.
    private enum Parent {
        /// The index in ``coarse``.
        case marker(Int)
        /// No marker is near enough.
        case none
        /// There are too many markers around to search.
        case tooMany
    }

    private static let candidatesPerChunk = 4096

    mutating func checkNearestNesting(jobs: Int) {
        let candidates = coarse.zoom == options.clusterMaxZoom ? microCells() : fineMarkers()
        let kept = keptCandidates(candidates)
        let parents = parents(of: candidates, kept: kept, jobs: jobs)
        var members = coarse.records.indices.map { MemberTally(in: coarse.boundingBox($0)) }
        // Whether a candidate has its anchor at the marker's place.
        var hasAnchor = Array(repeating: false, count: coarse.records.count)
        for (candidate, parent) in zip(candidates, parents) {
            switch parent {
            case .marker(let index):
                hasAnchor[index] = hasAnchor[index] || candidate.anchor.rawValue == coarse.records[index].code
                for marker in candidate.markers {
                    if !self.parents.isEmpty { self.parents[marker] = Int32(truncatingIfNeeded: index) }
                    members[index].add(fine.boundingBox(marker), pointCount: fine.pointCount(marker))
                }
            case .none:
                add(
                    .wrongNesting, fine: candidate.markers.lowerBound,
                    "joins no marker of zoom \(coarse.zoom), expected one within the cluster distance")
            case .tooMany:
                add(
                    .tooClose, fine: candidate.markers.lowerBound,
                    "has more than \(CellIndex.placesLimit) markers of zoom \(coarse.zoom) around it")
            }
        }
        for index in coarse.records.indices {
            if hasAnchor[index] {
                check(members[index], of: index)
            } else if !coarse.records[index].isPoint {
                // A point that is missing is a finding of ``checkPoints()``.
                add(.wrongNesting, index, "is not at the anchor of any marker of zoom \(fine.zoom)")
            }
        }
    }

    private func fineMarkers() -> [Candidate] {
        fine.records.indices.map {
            Candidate(
                anchor: MortonCode(rawValue: fine.records[$0].code), pointCount: fine.pointCount($0),
                markers: $0..<$0 + 1)
        }
    }

    /// The points of each micro-cell as one candidate, whose anchor is the place with the most points.
    private func microCells() -> [Candidate] {
        let depth = min(32, options.candidateDepth)
        let codes = fine.records.map { MortonCode(rawValue: $0.code) }
        var candidates: [Candidate] = []
        var start = 0
        while start < codes.count {
            var end = start
            var anchor = codes[start]
            var anchorCount = 0
            var pointCount = 0
            while end < codes.count, codes[end].node(atDepth: depth) == codes[start].node(atDepth: depth) {
                let place = codes[end]
                var placeCount = 0
                while end < codes.count, codes[end] == place {
                    placeCount = placeCount.saturatingAdd(fine.pointCount(end))
                    end += 1
                }
                if (anchorCount, anchor.mixed) < (placeCount, place.mixed) {
                    anchor = place
                    anchorCount = placeCount
                }
                pointCount = pointCount.saturatingAdd(placeCount)
            }
            candidates.append(Candidate(anchor: anchor, pointCount: pointCount, markers: start..<end))
            start = end
        }
        return candidates
    }

    /// By marker of ``coarse``: the candidate whose anchor is at its place.
    private func keptCandidates(_ candidates: [Candidate]) -> [Int?] {
        var next = 0
        return coarse.records.map { record in
            while next < candidates.count, candidates[next].anchor.rawValue < record.code { next += 1 }
            return next < candidates.count && candidates[next].anchor.rawValue == record.code ? next : nil
        }
    }

    private func parents(of candidates: [Candidate], kept: [Int?], jobs: Int) -> [Parent] {
        let distance = options.distanceUnits(atZoom: coarse.zoom)
        let index = CellIndex(ascending: coarse.records.map(\.code), cellsAtLeast: distance)
        // Of two equally near markers, the one with more points before anything joins it wins.
        let ownCounts = kept.map { $0.map { candidates[$0].pointCount } ?? 0 }
        let chunks = candidates.indices.split(every: NestingCheck.candidatesPerChunk)
        return SharedWork(jobs: jobs).map(chunks) { chunk in
            var search = NearSearch(index: index)
            return candidates[chunk].map { candidate in
                guard search.move(to: candidate.anchor) else { return Parent.tooMany }
                let point = candidate.anchor.point
                var best: (index: Int, square: UInt64)?
                for other in search.near {
                    let place = MortonCode(rawValue: index.codes[other])
                    guard place.point.isCloser(than: distance, to: point),
                        let square = place.point.squaredDistance(to: point)
                    else { continue }
                    if let best, best.square < square { continue }
                    if let best, best.square == square {
                        let rank = (ownCounts[best.index], MortonCode(rawValue: index.codes[best.index]).mixed)
                        if rank >= (ownCounts[other], place.mixed) { continue }
                    }
                    best = (other, square)
                }
                return best.map { .marker($0.index) } ?? .none
            }
        }
        .flatMap { $0 }
    }
}
