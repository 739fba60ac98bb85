import Foundation
import PyramidBuild
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidClient

/// The markers of moving maps are compared with those that `RemoteTiles` reads at once, for every map that stands still.
@Suite(.tags(.slow, .threads)) @MainActor struct VisibleMarkersTests {
    private static let kinds = ["bakery", "cafe", "bar"]

    /// Points around the antimeridian, in bundles or in tiles.
    private static func tileset(
        tileSize: Int = 256, minZoom: Int = 0, isBundled: Bool = true
    ) async throws -> RemoteTiles {
        var random = SeededRandom(seed: 47)
        let rows = (0..<700).map { number in
            let longitude = 168 + Double(random.next(below: 22_000)) / 1000
            let latitude = -20 + Double(random.next(below: 31_000)) / 1000
            return
                "p\(number),\(kinds[random.next(below: 3)]),\(longitude > 180 ? longitude - 360 : longitude),\(latitude)"
        }
        var clustering = ClusteringOptions()
        (clustering.minZoom, clustering.maxZoom, clustering.clusterMaxZoom) = (minZoom, 8, 7)
        clustering.tileSize = tileSize
        return try await StubHost.tileset((["id,kind,lon,lat"] + rows).joined(separator: "\n"), clustering) { options in
            if isBundled { options.storage = TileStorage(layout: .bundles(limit: 30)) }
            options.clusters.filterBy = [FacetColumn("kind")].compactMap(\.self)
        }
    }

    /// Holds requests back, until the test answers or fails them, in any order.
    @MainActor private final class Gate {
        private(set) var waiting: [CheckedContinuation<Bool, Never>] = []
        private(set) var failureCount = 0

        func pass() async throws {
            guard await withCheckedContinuation({ waiting.append($0) }) else { throw URLError(.timedOut) }
        }

        func release(_ random: inout SeededRandom, fails: Bool) {
            guard !waiting.isEmpty else { return }
            if fails { failureCount += 1 }
            waiting.remove(at: random.next(below: waiting.count)).resume(returning: !fails)
        }

        func releaseAll() {
            while let next = waiting.popLast() { next.resume(returning: true) }
        }
    }

    /// A map with annotations, changed only as it is told.
    @MainActor private final class MovingMap {
        let tiles: RemoteTiles
        let gate = Gate()
        let visible: VisibleMarkers
        private(set) var annotations: [MarkerID: FilteredMarker] = [:]
        private(set) var errors: [any Error] = []
        private var (x, y, zoom) = (0.98, 0.52, 4.0)

        init(_ tiles: RemoteTiles) {
            self.tiles = tiles
            visible = VisibleMarkers { [gate] in
                try await gate.pass()
                return tiles
            } answer: { [gate] tiles, request in
                try await gate.pass()
                return try await VisibleMarkers.markers(of: tiles, request)
            } pause: { _ in
                await Task.yield()
            }
            visible.onChange = { [unowned self] in apply($0) }
            visible.onError = { [unowned self] in errors.append($0) }
        }

        private func apply(_ changes: MarkerChanges) {
            for removal in changes.removed { #expect(annotations.removeValue(forKey: removal.id) != nil) }
            for update in changes.updated {
                let before = annotations.updateValue(update.marker, forKey: update.id)
                #expect(before != nil && before != update.marker)
            }
            for addition in changes.added {
                #expect(annotations.updateValue(addition.marker, forKey: addition.id) == nil)
            }
            #expect(annotations.count == visible.markers.count)
            #expect(Set(annotations.values) == Set(visible.markers))
        }

        func step(_ random: inout SeededRandom) {
            func share() -> Double { Double(random.next(below: 2001)) / 1000 - 1 }
            switch random.next(below: 12) {
            case 0...4:
                (x, y) = (x + share() * width * 0.7, min(max(y + share() * width, 0.4), 0.6))
                look()
            case 5, 6:
                zoom = min(max(zoom + share() * 1.6, 0), 10)
                look()
            case 7:
                (x, y, zoom) = (0.97 + share() * 0.02, 0.51 + share() * 0.04, 5 + share() * 4)
                look()
            case 8:
                let chosen = VisibleMarkersTests.kinds.filter { _ in random.next(below: 2) == 0 }
                visible.filter = chosen.isEmpty ? .all : MarkerFilter(["kind": Set(chosen.map { .value(.string($0)) })])
            default: gate.release(&random, fails: random.next(below: 3) == 0)
            }
        }

        /// The width of 500 points.
        private var width: Double { 500 / 256 / exp2(zoom) }
        private var view: Viewport? {
            Viewport(x: x - width / 2, y: y - width, width: width, height: 2 * width, zoom: zoom)
        }

        private func look() { visible.viewport = view }

        func settle() async {
            look()
            while visible.isLoading {
                gate.releaseAll()
                await Task.yield()
            }
        }

        func expectAllMarkers() async throws {
            let offset = tiles.tileJSON.tileSize == 512 ? 1.0 : 0
            let (zoom, filter) = (Int(max(zoom + 0.01 - offset, 0)), visible.filter)
            let world = BoundingBox(west: -180_000_000, south: -90_000_000, east: 180_000_000, north: 90_000_000)
            let all = try await tiles.visibleMarkers(in: world, zoom: zoom, filter: filter)
            let box = try #require(view).box
            let inView = all.filter { box.contains($0.whole.coordinate) }
            #expect(Set(inView).isSubset(of: Set(annotations.values)))
            #expect(Set(annotations.values).isSubset(of: Set(all)))
        }
    }

    @Test(arguments: [256, 512])
    func `maps that move at random show each marker once and miss none, whatever comes late or fails`(
        tileSize: Int
    ) async throws {
        let tiles = try await VisibleMarkersTests.tileset(tileSize: tileSize)
        let maps = [MovingMap(tiles), MovingMap(tiles)]
        var random = SeededRandom(seed: UInt64(tileSize))
        var shownCount = 0
        for step in 1...600 {
            maps[random.next(below: 2)].step(&random)
            await Task.yield()
            guard step % 12 == 0 else { continue }
            for map in maps {
                await map.settle()
                try await map.expectAllMarkers()
                shownCount += map.annotations.count
            }
        }
        #expect(shownCount > 1000)
        for map in maps {
            #expect(map.gate.failureCount > 10 && !map.errors.isEmpty)
            #expect(map.errors.allSatisfy { $0 is URLError })
        }
    }

    /// A view of all points, so that all parents are in it.
    private static func everything(zoom: Double) -> Viewport {
        Viewport(
            box: BoundingBox(west: 167_000_000, south: -21_000_000, east: -169_000_000, north: 12_000_000), zoom: zoom)
    }

    /// A box at a zoom at which the box of all points would be that of a tilted map.
    private static let middle = BoundingBox(west: 176_000_000, south: -10_000_000, east: -174_000_000, north: 2_000_000)

    @Test(arguments: [nil, "cafe"])
    func `a cluster splits into markers with all its points, and takes them in again`(kind: String?) async throws {
        let tiles = try await VisibleMarkersTests.tileset(isBundled: false)
        let visible = VisibleMarkers(tiles)
        visible.filter = kind.map { MarkerFilter(["kind": [.value(.string($0))]]) } ?? .all
        func markers(
            _ box: BoundingBox, atZoom zoom: Int
        ) async throws -> (MarkerChanges?, [MarkerID: FilteredMarker]) {
            var changes: MarkerChanges?
            visible.onChange = { changes = $0 }
            visible.viewport = Viewport(box: box, zoom: Double(zoom))
            while visible.isLoading { await Task.yield() }
            let expected = try await tiles.visibleMarkers(in: box, zoom: zoom, filter: visible.filter)
            #expect(Set(visible.markers.filter { box.contains($0.whole.coordinate) }) == Set(expected))
            return (changes, Dictionary(uniqueKeysWithValues: visible.markers.identified()))
        }
        var splitCount = 0
        for zoom in 0..<8 {
            let box = zoom < 6 ? VisibleMarkersTests.everything(zoom: 0).box : VisibleMarkersTests.middle
            let before = try await markers(box, atZoom: zoom).1
            let (splits, after) = try await markers(box, atZoom: zoom + 1)
            let merges = try #require(await markers(box, atZoom: zoom).0)
            for (id, cluster) in before where cluster.count > 1 && box.contains(cluster.whole.boundingBox) {
                let kept = after[id]?.count ?? 0
                let left = try #require(splits).added.filter { $0.origin == cluster }
                let back = merges.removed.filter { $0.destination == cluster }
                #expect(left.reduce(kept) { $0 + $1.marker.count } == cluster.count)
                #expect(Set(left.map(\.id)) == Set(back.map(\.id)))
                splitCount += left.count
            }
        }
        #expect(splitCount > 100)
    }

    @Test func `a map that was tilted shows the markers of its zoom again`() async throws {
        let tiles = try await VisibleMarkersTests.tileset(minZoom: 5)
        let visible = VisibleMarkers(tiles)
        let world = BoundingBox(west: -180_000_000, south: -90_000_000, east: 180_000_000, north: 90_000_000)
        // The zoom of a map is that of its middle, however far it shows.
        for (box, zoom) in [(VisibleMarkersTests.middle, 8), (world, 5), (VisibleMarkersTests.middle, 8)] {
            visible.viewport = Viewport(box: box, zoom: 8)
            while visible.isLoading { await Task.yield() }
            let expected = try await tiles.visibleMarkers(in: box, zoom: zoom, filter: .all)
            #expect(expected.count > 50)
            #expect(Set(visible.markers.filter { box.contains($0.whole.coordinate) }) == Set(expected))
        }
        visible.viewport = Viewport(box: world, zoom: 4)
        while visible.isLoading { await Task.yield() }
        #expect(visible.markers.isEmpty)
    }

    @Test func `a filter by an unknown column is refused once, and the markers stay`() async throws {
        let visible = VisibleMarkers(try await VisibleMarkersTests.tileset())
        var errors: [any Error] = []
        visible.onError = { errors.append($0) }
        visible.viewport = VisibleMarkersTests.everything(zoom: 3)
        while visible.isLoading { await Task.yield() }
        let before = visible.markers
        visible.filter = MarkerFilter(["color": ["red"]])
        while visible.isLoading { await Task.yield() }
        visible.viewport = VisibleMarkersTests.everything(zoom: 5)
        #expect(!visible.isLoading && visible.markers == before)
        #expect(errors.count == 1 && errors.first is MarkerFilterError)
        visible.filter = .all
        while visible.isLoading { await Task.yield() }
        #expect(visible.markers.count > before.count && errors.count == 1)
    }

    @Test func `short pans need no request`() async throws {
        let tiles = try await VisibleMarkersTests.tileset()
        var requests = 0
        let visible = VisibleMarkers {
            tiles
        } answer: { tiles, request in
            await MainActor.run { requests += 1 }
            return try await VisibleMarkers.markers(of: tiles, request)
        }
        func view(_ x: Double) -> Viewport? {
            Viewport(x: x, y: 0.45, width: 1000 / 256 / exp2(6), height: 0.05, zoom: 6)
        }
        for pan in [0, 0.1, 0.15, -0.15] {
            visible.viewport = view(0.97 + pan * 1000 / 256 / exp2(6))
            while visible.isLoading { await Task.yield() }
        }
        #expect(requests == 1)
        visible.viewport = view(0.97 + 0.3 * 1000 / 256 / exp2(6))
        while visible.isLoading { await Task.yield() }
        #expect(requests == 2)
    }

    @Test func `an object that is released while it waits makes no more requests`() async throws {
        let gate = Gate()
        var attempts = 0
        var visible: VisibleMarkers? = VisibleMarkers {
            await MainActor.run { attempts += 1 }
            throw URLError(.timedOut)
        } pause: { failures in
            if failures == 5 { try? await gate.pass() }
        }
        weak let released = visible
        visible?.viewport = VisibleMarkersTests.everything(zoom: 3)
        while gate.waiting.isEmpty { await Task.yield() }
        visible = nil
        #expect(released == nil)
        gate.releaseAll()
        for _ in 0..<200 { await Task.yield() }
        #expect(attempts == 5)
    }

    @Test func `an object is released while it waits for an answer, which changes nothing`() async throws {
        let (tiles, gate) = (try await VisibleMarkersTests.tileset(), Gate())
        var answers = 0
        var visible: VisibleMarkers? = VisibleMarkers {
            tiles
        } answer: { _, _ in
            try await gate.pass()
            await MainActor.run { answers += 1 }
            return []
        }
        weak let released = visible
        visible?.onChange = { _ in Issue.record("the object reports changes") }
        visible?.viewport = VisibleMarkersTests.everything(zoom: 3)
        while gate.waiting.isEmpty { await Task.yield() }
        visible = nil
        #expect(released == nil)
        gate.releaseAll()
        while answers == 0 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
    }

    @Test(arguments: [256, 512])
    func `a cluster's destination shows all its points, apart`(tileSize: Int) async throws {
        let visible = VisibleMarkers(try await VisibleMarkersTests.tileset(tileSize: tileSize))
        let (width, height) = (390.0, 700.0)
        var checkedCount = 0
        for zoom in 1...7 {
            visible.viewport = VisibleMarkersTests.everything(zoom: Double(zoom))
            while visible.isLoading { await Task.yield() }
            for marker in visible.markers {
                let found = visible.destination(of: marker, width: width, height: height)
                guard case .cluster(let cluster) = marker.marker, !cluster.isCoincident else {
                    #expect(found == nil)
                    continue
                }
                let (center, target) = try #require(found)
                #expect(target > Double(zoom))
                let offset = tileSize == 512 ? 1 : 0
                let apart = Double(try #require(cluster.expansionZoom) + offset)
                #expect(target >= apart)
                let middle = WebMercator.project(center)
                let box = cluster.boundingBox
                let corners = [(box.west, box.south), (box.east, box.north)].map {
                    WebMercator.project(Coordinate(longitudeMicrodegrees: $0, latitudeMicrodegrees: $1))
                }
                let points = 256 * exp2(target) / 0x1p32
                let fits = corners.allSatisfy {
                    abs(Double($0.eastward(from: middle))) * points <= width / 2 - 39
                        && abs(Double($0.southward(from: middle))) * points <= height / 2 - 39
                }
                // Points that are nearer to each other than the view is large come apart first.
                #expect(fits || (target == apart && center == cluster.coordinate))
                checkedCount += fits ? 1 : 0
            }
        }
        #expect(checkedCount > 20)
    }
}
