#if canImport(MapKit) && canImport(UIKit)
    import MapKit
    import OSLog
    import PyramidClient
    import PyramidTiles

    /// Keeps the markers of a tileset on a map view up to date.
    ///
    /// ```swift
    /// markers = MapMarkers(on: mapView, tileset: URL(string: "https://tiles.example.org/cities/")!)
    /// markers.filter = MarkerFilter(["kind": ["bakery"]])
    /// ```
    ///
    /// Keep the object: the markers stay up to date until it is released. Call ``remove()`` before, or its annotations become
    /// MapKit's pins. Other annotations and overlays of the map are left alone, and a map can have several tilesets.
    ///
    /// A map view tells only its delegate that it has moved. If the map view has no delegate, this object provides one. If
    /// the app sets a delegate, forward two calls from it: `mapViewDidChangeVisibleRegion` to ``mapDidChange()``, and
    /// `mapView(_:viewFor:)` to ``view(for:)``. With an ``annotationView``, also forward `mapView(_:didSelect:)` to
    /// ``activate(_:)``, and `mapView(_:didDeselect:)` to ``didDeselect(_:)``.
    @MainActor public final class MapMarkers {
        /// The points to show.
        public var filter: MarkerFilter {
            get { visible.filter }
            set { visible.filter = newValue }
        }
        /// How the markers look.
        public var style = MarkerStyle() { didSet { drawAll() } }
        /// The selected marker. While it isn't on the map, such as at a zoom where it is part of a cluster, it stays selected.
        public var selection: MarkerID? { didSet { if selection != oldValue { selectionChanged(from: oldValue) } } }
        /// The view of a marker, in place of ours; `nil` for ours. It is asked again after a marker has changed.
        public var annotationView: ((MarkerAnnotation) -> MKAnnotationView?)? {
            didSet { for annotation in annotations.values { _ = replaced(annotation) } }
        }
        /// What the callout of a point shows below its name.
        public var callout: ((FilteredMarker) -> UIView?)?
        /// Called after other markers are shown.
        public var onChange: () -> Void = {}
        /// Called after a tap has selected a marker, or has ended the selection.
        public var onSelect: (MarkerID?) -> Void = { _ in }
        /// Called with ``/PyramidClient/RemoteTilesError`` and others. What has failed is tried again.
        public var onError: (any Error) -> Void = { _ in }

        /// The loaded markers: all that are visible, and some around them.
        public var markers: [FilteredMarker] { visible.markers }
        /// The tileset, for counts and lists; `nil` until it is open.
        public var tiles: RemoteTiles? { visible.tiles }

        private let visible: VisibleMarkers
        private weak var mapView: MKMapView?
        private let delegate: MarkerMapDelegate?
        private var annotations: [MarkerID: MarkerAnnotation] = [:]
        private var wasAskedForView = false
        private var list: Task<Void, Never>?
        private static let logger = Logger(subsystem: "pyramid", category: "markers")

        /// Opens a tileset and shows it.
        /// - Parameters:
        ///   - tileset: the URL of the tileset or of its TileJSON.
        ///   - filter: the points to show at first.
        public convenience init(on mapView: MKMapView, tileset: URL, filter: MarkerFilter = .all) {
            self.init(on: mapView, VisibleMarkers(tileset: tileset, session: MapMarkers.session), filter)
        }

        /// Shows a tileset that is open.
        public convenience init(on mapView: MKMapView, tiles: RemoteTiles, filter: MarkerFilter = .all) {
            self.init(on: mapView, VisibleMarkers(tiles), filter)
        }

        init(on mapView: MKMapView, _ visible: VisibleMarkers, _ filter: MarkerFilter) {
            visible.filter = filter
            (self.mapView, self.visible) = (mapView, visible)
            delegate = mapView.delegate == nil ? MarkerMapDelegate() : mapView.delegate as? MarkerMapDelegate
            if mapView.delegate == nil { mapView.delegate = delegate }
            mapView.register(
                MarkerAnnotationView.self, forAnnotationViewWithReuseIdentifier: MarkerAnnotationView.identifier)
            visible.onChange = { [weak self] in self?.show($0) }
            visible.onError = { [weak self] in self?.report($0) }
            delegate?.add(self)
            mapDidChange()
            warnIfNothingIsForwarded()
        }

        /// Removes the markers from the map, for good.
        public func remove() {
            visible.onChange = { _ in }
            visible.viewport = nil
            list?.cancel()
            let all = Array(annotations.values)
            annotations = [:]
            mapView?.removeAnnotations(all)
            mapView = nil
        }

        /// A cache larger than the default, in a folder of its own.
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.default
            configuration.urlCache = URLCache(
                memoryCapacity: 32 << 20, diskCapacity: 256 << 20,
                directory: URL.cachesDirectory.appending(path: "pyramid"))
            return URLSession(configuration: configuration)
        }()

        private func report(_ error: any Error) {
            MapMarkers.logger.error("\("\(error)", privacy: .public)")
            onError(error)
        }

        // MARK: What the delegate forwards

        /// Shows what is visible now. For a delegate's `mapViewDidChangeVisibleRegion(_:)`.
        public func mapDidChange() {
            if let viewport = mapView?.viewport, viewport != visible.viewport { visible.viewport = viewport }
        }

        /// The view of a marker; `nil` for other annotations. For a delegate's `mapView(_:viewFor:)`.
        public func view(for annotation: any MKAnnotation) -> MKAnnotationView? {
            wasAskedForView = true
            guard let mapView, let annotation = annotation as? MarkerAnnotation, annotation.owner === self
            else { return nil }
            let view =
                annotationView?(annotation)
                ?? mapView.dequeueReusableAnnotationView(
                    withIdentifier: MarkerAnnotationView.identifier, for: annotation)
            // MapKit would hide markers that are near each other.
            (view.displayPriority, view.collisionMode) = (.required, .none)
            (view as? MarkerAnnotationView)?.show(annotation, look(of: annotation.marker))
            // MapKit can't select an annotation without a view.
            if annotation.id == selection { Task { [weak self] in self?.showSelection() } }
            return view
        }

        // MARK: Drawing

        private func show(_ changes: MarkerChanges) {
            guard let mapView else { return }
            var moves: [(annotation: MarkerAnnotation, place: CLLocationCoordinate2D)] = []
            for update in changes.updated {
                guard let annotation = annotations[update.id] else { continue }
                annotation.marker = update.marker
                moves.append((annotationView == nil ? annotation : replaced(annotation), update.marker.location))
            }
            let leaving = changes.removed.compactMap { removal in
                let annotation = annotations.removeValue(forKey: removal.id)
                if let annotation, let destination = removal.destination {
                    moves.append((annotation, destination.location))
                }
                return annotation
            }
            let arriving = changes.added.map { addition in
                let annotation = added(addition.id, addition.marker, at: (addition.origin ?? addition.marker).location)
                if addition.origin != nil { moves.append((annotation, addition.marker.location)) }
                return annotation
            }
            mapView.addAnnotations(arriving)
            // At another zoom, circles may be larger or smaller.
            drawAll()
            func move() { for (annotation, place) in moves { annotation.coordinate = place } }
            if UIAccessibility.isReduceMotionEnabled {
                move()
                mapView.removeAnnotations(leaving)
            } else {
                UIView.animate(withDuration: 0.3) {
                    move()
                } completion: { [weak mapView] _ in
                    mapView?.removeAnnotations(leaving)
                }
            }
            onChange()
        }

        private func added(
            _ id: MarkerID, _ marker: FilteredMarker, at place: CLLocationCoordinate2D
        ) -> MarkerAnnotation {
            let annotation = MarkerAnnotation(id, marker, at: place, of: self)
            annotation.title = style.title(of: marker)
            annotations[id] = annotation
            return annotation
        }

        /// MapKit asks for the view of an annotation once, so another view needs another annotation.
        private func replaced(_ old: MarkerAnnotation) -> MarkerAnnotation {
            let new = added(old.id, old.marker, at: old.coordinate)
            mapView?.removeAnnotation(old)
            mapView?.addAnnotation(new)
            return new
        }

        private func drawAll() { for annotation in annotations.values { draw(annotation) } }

        func draw(_ annotation: MarkerAnnotation) {
            let title = style.title(of: annotation.marker)
            if annotation.title != title { annotation.title = title }
            (mapView?.view(for: annotation) as? MarkerAnnotationView)?.show(annotation, look(of: annotation.marker))
        }

        /// Grows with the text size, up to half the distance between markers.
        private func look(of marker: FilteredMarker) -> MarkerLook {
            var look = style.look(of: marker, distance: visible.distance)
            let scaled = Double(UIFontMetrics.default.scaledValue(for: CGFloat(look.radius)))
            look.radius = max(look.radius, min(scaled, visible.distance / 2))
            return look
        }

        /// If an app's delegate doesn't forward its calls, the map stays empty, or has MapKit's pins.
        private func warnIfNothingIsForwarded() {
            Task { [weak self] in
                while self?.mapView != nil {
                    guard (try? await Task.sleep(for: .seconds(5))) != nil, let self else { return }
                    let isLaidOut = visible.viewport != nil
                    if isLaidOut, wasAskedForView { return }
                    guard mapView?.window != nil, !isLaidOut || !annotations.isEmpty else { continue }
                    return MapMarkers.logger.error(
                        "The map view's delegate doesn't forward its calls to MapMarkers.mapDidChange() and view(for:)")
                }
            }
        }

        // MARK: Taps

        /// Does what a tap does: zooms in on a cluster that splits, or selects the marker. For a delegate's
        /// `mapView(_:didSelect:)`, for markers with views of the app's own.
        public func activate(_ annotation: MarkerAnnotation) {
            // The app may have selected a cluster itself, and a marker that leaves the map can still be tapped.
            guard let mapView, annotations[annotation.id] === annotation, selection != annotation.id else { return }
            guard let (center, zoom) = destination(of: annotation) else {
                // Several tilesets on a map have one selection.
                let owners = mapView.annotations.compactMap { ($0 as? MarkerAnnotation)?.owner }
                for other in owners where other !== self { other.select(nil) }
                return select(annotation.id)
            }
            mapView.deselectAnnotation(annotation, animated: false)
            mapView.go(to: center, zoom: zoom, animated: !UIAccessibility.isReduceMotionEnabled)
        }

        private func select(_ id: MarkerID?) {
            guard selection != id else { return }
            selection = id
            onSelect(id)
        }

        func isOpenedByZooming(_ annotation: MarkerAnnotation) -> Bool { destination(of: annotation) != nil }

        private func destination(of annotation: MarkerAnnotation) -> (center: Coordinate, zoom: Double)? {
            guard let mapView else { return nil }
            let (width, height) = (Double(mapView.bounds.width), Double(mapView.bounds.height))
            // What fits into a rotated map fits into a square.
            let isUpright = mapView.camera.heading == 0
            return visible.destination(
                of: annotation.marker, width: isUpright ? width : min(width, height),
                height: isUpright ? height : min(width, height))
        }

        /// Ends the selection of a marker, unless MapKit has only removed its view. For a delegate's `mapView(_:didDeselect:)`,
        /// for markers with views of the app's own.
        public func didDeselect(_ annotation: MarkerAnnotation) {
            guard selection == annotation.id, annotations[annotation.id] === annotation,
                mapView?.selectedAnnotations.contains(where: { $0 === annotation }) == false
            else { return }
            select(nil)
        }

        private func selectionChanged(from old: MarkerID?) {
            if let old = old.flatMap({ annotations[$0] }) { mapView?.deselectAnnotation(old, animated: true) }
            showSelection()
        }

        private func showSelection() {
            guard let mapView, let annotation = selection.flatMap({ annotations[$0] }),
                !mapView.selectedAnnotations.contains(where: { $0 === annotation })
            else { return }
            mapView.selectAnnotation(annotation, animated: true)
        }

        /// Puts the app's view or a list of the points at the place into the callout.
        func fillCallout(of annotation: MarkerAnnotation, _ view: MKAnnotationView) {
            list?.cancel()
            let marker = annotation.marker
            guard marker.count > 1 else {
                let others = visible.markers.filter { $0.marker.coordinate == marker.marker.coordinate }
                let names = others.count > 1 ? self.names(others.map(style.title), of: others.count) : nil
                view.detailCalloutAccessoryView = callout?(marker) ?? names
                return
            }
            view.detailCalloutAccessoryView = nil
            list = Task { [weak self, weak view, tiles, filter] in
                do {
                    let found = try await tiles?.points(of: marker, limit: 20, filter: filter)
                    guard let self, let found, !Task.isCancelled, view?.annotation === annotation else { return }
                    view?.detailCalloutAccessoryView = names(found.points.map(style.name), of: found.count)
                } catch {
                    if !Task.isCancelled { self?.report(error) }
                }
            }
        }

        private func names(_ names: [String], of count: Int) -> UILabel {
            let label = UILabel()
            (label.numberOfLines, label.font) = (0, .preferredFont(forTextStyle: .footnote))
            let shown = names.prefix(20)
            label.text = (shown + (count > shown.count ? ["…"] : [])).joined(separator: "\n")
            return label
        }
    }

    /// The delegate of a map view that has none, for all tilesets on it.
    @MainActor final class MarkerMapDelegate: NSObject, MKMapViewDelegate {
        private struct Member { weak var markers: MapMarkers? }
        private var members: [Member] = []

        func add(_ markers: MapMarkers) {
            members.removeAll { $0.markers == nil }
            members.append(Member(markers: markers))
        }

        func mapViewDidChangeVisibleRegion(_ mapView: MKMapView) {
            for member in members { member.markers?.mapDidChange() }
        }

        func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView? {
            for member in members { if let view = member.markers?.view(for: annotation) { return view } }
            return nil
        }

        func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
            // Our own view reports its taps itself, because an app's delegate need not forward them.
            guard let annotation = annotation as? MarkerAnnotation,
                !(mapView.view(for: annotation) is MarkerAnnotationView)
            else { return }
            annotation.owner?.activate(annotation)
        }

        func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation) {
            if let annotation = annotation as? MarkerAnnotation { annotation.owner?.didDeselect(annotation) }
        }
    }
#endif
