import PyramidClusters
import PyramidTiles

/// What a bundle needs to know of a record, besides its feature.
package struct RecordSummary {
    /// 0 for a point.
    package var clusterID: UInt64 = 0
    package var pointCount = 1
    /// Whether it is a cluster that never splits, so that its points are in no bundle.
    package var staysTogether = false
    /// The id of the cluster that it is part of at the zoom before its first; 0 for none.
    package var parentID: UInt64 = 0
    /// The index of that cluster among the records of the bundle; `nil` if it isn't there.
    fileprivate(set) var parentIndex: Int?
    /// How many members have each combination of values, ascending by combination; empty for a point, and for a cluster
    /// whose bundle has all its points.
    package var facets: [CategoryColumn.Count] = []

    package init(
        clusterID: UInt64 = 0, pointCount: Int = 1, staysTogether: Bool = false, parentID: UInt64 = 0,
        facets: [CategoryColumn.Count] = []
    ) {
        (self.clusterID, self.pointCount, self.staysTogether) = (clusterID, pointCount, staysTogether)
        (self.parentID, self.facets) = (parentID, facets)
    }
}

extension [RecordSummary] {
    /// Finds the parents among the records, and forgets the facets of clusters whose points are all among them.
    /// - Parameter zooms: of each record.
    mutating func connect(_ zooms: [ClosedRange<Int>]) {
        // A cluster's records of different zooms have the same id.
        let clusters = indices.filter { self[$0].clusterID != 0 }
            .sorted { (self[$0].clusterID, zooms[$0].lowerBound) < (self[$1].clusterID, zooms[$1].lowerBound) }
        var knownPoints = map { $0.clusterID == 0 ? 1 : 0 }
        for index in indices.sorted(by: { zooms[$0].lowerBound > zooms[$1].lowerBound }) {
            if clusters.isEmpty { break }
            if self[index].staysTogether {
                // The records that continue it have been added.
                knownPoints[index] = self[index].pointCount
            } else if knownPoints[index] == self[index].pointCount {
                self[index].facets = []
            }
            let (id, zoom) = (self[index].parentID, zooms[index].lowerBound - 1)
            guard id != 0 else { continue }
            let first = clusters.partitioningIndex { self[$0].clusterID >= id }
            let parent = clusters[first...].prefix { self[$0].clusterID == id }.first { zooms[$0].contains(zoom) }
            self[index].parentIndex = parent
            if let parent { knownPoints[parent] += knownPoints[index] }
        }
    }
}

extension RecordSummary {
    /// How a bundle states the parent. A cluster that has the same id in another file states none.
    var parent: BundleParent? {
        parentIndex.map { .record($0) } ?? (parentID == 0 || parentID == clusterID ? nil : .id(parentID))
    }
}

/// The combinations that the features of a file refer to, each once, in order.
struct FacetTable {
    /// By combination: its index among those of the file.
    private(set) var numbers: [UInt32] = []
    private(set) var combinations: [UInt32] = []

    /// Begins a file.
    mutating func removeAll() { combinations.removeAll(keepingCapacity: true) }

    /// Adds the combinations of a feature.
    mutating func add(_ facets: some Collection<CategoryColumn.Count>) {
        for facet in facets {
            let combination = Int(facet.category)
            while numbers.count <= combination { numbers.append(.max) }
            // `numbers` isn't cleared between files: the entry may be of an earlier one.
            let number = Int(numbers[combination])
            if number < combinations.count, combinations[number] == facet.category { continue }
            numbers[combination] = UInt32(combinations.count)
            combinations.append(facet.category)
        }
    }

    /// Puts the combinations in order, when all have been added.
    mutating func sort() {
        combinations.sort()
        for (number, combination) in combinations.enumerated() { numbers[Int(combination)] = UInt32(number) }
    }
}
