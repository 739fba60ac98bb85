import Foundation
import PyramidTiles

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The markers of a moving map: loads them when the map or the filter changes, keeps the earlier ones until the new ones are
/// there, and repeats what has failed.
///
/// ```swift
/// let visible = VisibleMarkers(tileset: URL(string: "https://tiles.example.org/cities/")!)
/// visible.onChange = { changes in … }  // add, update and remove annotations
/// visible.viewport = Viewport(box: box, zoom: 7.3)  // whenever the map has moved
/// ```
///
/// It stops when it is released. Several maps can share one ``RemoteTiles``.
@MainActor
public final class VisibleMarkers {
    /// What the map shows; `nil` before it is laid out, and to make no more requests.
    public var viewport: Viewport? { didSet { update() } }
    /// The points to show. If the tileset can't be filtered this way, the markers stay as they are until another filter is
    /// set.
    public var filter = MarkerFilter.all {
        didSet {
            guard filter != oldValue else { return }
            isRefused = false
            update()
        }
    }
    /// Called after ``markers`` has changed.
    public var onChange: (MarkerChanges) -> Void = { _ in }
    /// Called with ``MarkerFilterError``, ``RemoteTilesError``, and any error of the session.
    public var onError: (any Error) -> Void = { _ in }

    /// The loaded markers: all in the viewport, and some around it.
    public private(set) var markers: [FilteredMarker] = []
    /// The tileset; `nil` until it is open.
    public private(set) var tiles: RemoteTiles?

    /// The markers to load.
    struct Request: Equatable, Sendable {
        /// Circles reach into the view from this far.
        private static let marginPoints = 60.0

        let box: BoundingBox
        /// The zoom of the map, for tiles of 256 points. A tilted map shows a large area far away, with the markers of a
        /// lower zoom: the lower bound.
        let zooms: ClosedRange<Int>
        let filter: MarkerFilter

        /// A quarter of the width around the view is loaded too, so that short pans need no request.
        init(_ viewport: Viewport, _ filter: MarkerFilter) {
            let points = Double(viewport.box.width) / 360_000_000 * 256 * exp2(viewport.zoom)
            let box = viewport.grown(byScreenPoints: max(points / 4, Request.marginPoints))
            let zoom = viewport.tileZoom
            let lowered = (0...zoom).last { box.tileLimit(atZoom: $0) <= 256 } ?? 0
            (self.box, zooms, self.filter) = (box, lowered...zoom, filter)
        }

        func serves(_ viewport: Viewport, _ filter: MarkerFilter) -> Bool {
            zooms == Request(viewport, filter).zooms && filter == self.filter
                && box.contains(viewport.grown(byScreenPoints: Request.marginPoints))
        }
    }

    private let open: @Sendable () async throws -> RemoteTiles
    private let answer: @Sendable (RemoteTiles, Request) async throws -> [FilteredMarker]
    private let pause: @Sendable (_ failures: Int) async -> Void
    private var opening: Task<RemoteTiles, any Error>?
    private var shown: Request?
    private var loading: (request: Request, task: Task<Void, Never>)?
    /// Whether the tileset can't be filtered by ``filter``.
    private var isRefused = false

    /// Shows a tileset that is open.
    public convenience init(_ tiles: RemoteTiles) { self.init { tiles } }

    /// Opens a tileset and shows it. If it can't be read, it is tried again.
    /// - Parameters:
    ///   - tileset: the URL of the tileset or of its TileJSON, as for ``RemoteTiles``.
    ///   - session: makes the requests. With a large cache there are fewer.
    public convenience init(tileset: URL, session: URLSession = .shared) {
        self.init { try await RemoteTiles(at: tileset, session: session) }
    }

    /// - Parameters:
    ///   - answer: reads the markers; tests delay it and make it fail.
    ///   - pause: waits before a request is repeated.
    init(
        open: @escaping @Sendable () async throws -> RemoteTiles,
        answer: @escaping @Sendable (RemoteTiles, Request) async throws -> [FilteredMarker] = VisibleMarkers.markers,
        pause: @escaping @Sendable (_ failures: Int) async -> Void = { failures in
            try? await Task.sleep(for: .seconds(min(5 << min(failures - 1, 4), 60)))
        }
    ) {
        (self.open, self.answer, self.pause) = (open, answer, pause)
    }

    deinit { loading?.task.cancel() }

    /// Whether markers are being loaded, or will be again after a failure.
    var isLoading: Bool { loading != nil }

    private func update() {
        if let viewport, let loading, loading.request.serves(viewport, filter) { return }
        loading?.task.cancel()
        loading = nil
        guard let viewport, !isRefused, shown?.serves(viewport, filter) != true else { return }
        let request = Request(viewport, filter)
        // The object is released even while the task waits.
        let task = Task { [weak self, answer, pause] in
            var failures = 0
            while let opening = self?.opened() {
                let found: Result<[FilteredMarker], any Error>
                do {
                    found = .success(try await answer(opening.value, request))
                } catch {
                    found = .failure(error)
                }
                // A later request has cancelled this one.
                if Task.isCancelled || self?.show(found, of: request) != false { return }
                failures += 1
                await pause(failures)
                if Task.isCancelled { return }
            }
        }
        loading = (request, task)
    }

    /// - Returns: `false` if it has failed and may succeed later.
    private func show(_ found: Result<[FilteredMarker], any Error>, of request: Request) -> Bool {
        switch found {
        case .success(let found):
            let isOneZoom = shown.map { tiles?.zoom(of: $0) == tiles?.zoom(of: request) } ?? false
            let changes = MarkerChanges(from: markers, to: found, isOneZoom: isOneZoom)
            (loading, shown, markers) = (nil, request, found)
            onChange(changes)
            return true
        case .failure(let error):
            isRefused = error is MarkerFilterError
            if isRefused { loading = nil }
            onError(error)
            return isRefused
        }
    }

    /// Requests for the TileJSON go on while the map moves.
    private func opened() -> Task<RemoteTiles, any Error> {
        if let opening { return opening }
        let task = Task { [weak self, open] in
            do {
                let opened = try await open()
                self?.tiles = opened
                return opened
            } catch {
                self?.opening = nil
                throw error
            }
        }
        opening = task
        return task
    }

    nonisolated static func markers(of tiles: RemoteTiles, _ request: Request) async throws -> [FilteredMarker] {
        try await tiles.visibleMarkers(in: request.box, zoom: tiles.zoom(of: request), filter: request.filter)
    }
}

extension RemoteTiles {
    /// How much higher the zoom of a map is than the zoom of the tiles that it shows, if the map's world is 256 points wide
    /// at zoom 0.
    var zoomOffset: Int { (tileJSON.tileSize ?? tileJSON.codec.defaultTileSize) > 256 ? 1 : 0 }

    /// The zoom of the tiles to show. A lowered zoom isn't lower than the tileset's first.
    fileprivate func zoom(of request: VisibleMarkers.Request) -> Int {
        let (lowered, wanted) = (request.zooms.lowerBound - zoomOffset, request.zooms.upperBound - zoomOffset)
        return max(min(max(lowered, tileJSON.minzoom), wanted), 0)
    }
}

extension VisibleMarkers {
    /// The minimum distance between the shown markers in points, as far as the tileset states it.
    public var distance: Double {
        guard let tiles, let shown, let distances = tiles.tileJSON.clusterDistances else { return 40 }
        let index = tiles.zoom(of: shown) - tiles.tileJSON.minzoom
        return distances.indices.contains(index) ? distances[index] : 40
    }

    /// Where a map goes to show how a cluster splits: as near as all its points fit into the view, but at least to the zoom
    /// at which it splits.
    /// - Parameters:
    ///   - width: of the view, in points.
    ///   - height: of the view, in points.
    /// - Returns: a place for the middle of the view, and a zoom; `nil` for points, for clusters that no zoom splits, and if
    ///   the map is there.
    public func destination(
        of marker: FilteredMarker, width: Double, height: Double
    ) -> (center: Coordinate, zoom: Double)? {
        guard let tiles, let viewport, let cluster = marker.clusterToSplit, let expansionZoom = cluster.expansionZoom,
            !cluster.isCoincident
        else { return nil }
        let padding = 40.0
        let extent = cluster.boundingBox.extent
        let fitting = log2(
            min(max(width - 2 * padding, 1) / extent.width, max(height - 2 * padding, 1) / extent.height) / 256)
        let apart = Double(expansionZoom + tiles.zoomOffset)
        let zoom = min(max(apart, fitting), max(apart, Double(tiles.tileJSON.maxzoom + tiles.zoomOffset)))
        guard zoom > viewport.zoom + 0.01 else { return nil }
        return (fitting < apart ? cluster.coordinate : WebMercator.unproject(cluster.boundingBox.middle), zoom)
    }
}

extension FilteredMarker {
    /// The cluster to zoom in on. A filter can leave one point of a cluster, of which nothing is known.
    fileprivate var clusterToSplit: Cluster? {
        if case .cluster(let cluster) = marker { return cluster }
        guard case .point(let point) = marker, point.id == nil, case .cluster(let cluster) = whole else { return nil }
        return cluster
    }
}
