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
    /// Keep the object: the markers stay up to date until it is released. Other annotations and overlays of the map are left
    /// alone, and a map can have several tilesets.
    ///
    /// Only its delegate learns that a map view has moved. If the map view has none, this object provides one. If the app has
    /// one of its own, set before, it forwards two calls: `mapViewDidChangeVisibleRegion` to ``mapDidChange()``, and
    /// `mapView(_:viewFor:)` to ``view(for:)``.
    @MainActor public final class MapMarkers {
        /// The points to show.
        public var filter: MarkerFilter {
            get { visible.filter }
            set { visible.filter = newValue }
        }
        /// How the markers look.
        public var style = MarkerStyle() { didSet { for annotation in annotations.values { draw(annotation) } } }
        /// The selected marker. While it isn't on the map, such as at a zoom where it is part of a cluster, it stays selected.
        public var selection: MarkerID? { didSet { if selection != oldValue { showSelection(instead: oldValue) } } }
        /// The view of a marker, in place of ours; `nil` for ours. It is asked again after a marker has changed.
        public var annotationView: ((MarkerAnnotation) -> MKAnnotationView?)?
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
        private var warning: Task<Void, Never>?
        private var list: Task<Void, Never>?
        private static let logger = Logger(subsystem: "pyramid", category: "markers")

        /// Opens a tileset and shows it.
        /// - Parameter tileset: the URL of the tileset or of its TileJSON.
        public convenience init(on mapView: MKMapView, tileset: URL) {
            self.init(on: mapView, VisibleMarkers(tileset: tileset, session: MapMarkers.session))
        }

        /// Shows a tileset that is open.
        public convenience init(on mapView: MKMapView, tiles: RemoteTiles) {
            self.init(on: mapView, VisibleMarkers(tiles))
        }

        init(on mapView: MKMapView, _ visible: VisibleMarkers) {
            (self.mapView, self.visible) = (mapView, visible)
            delegate = mapView.delegate == nil ? MarkerMapDelegate() : mapView.delegate as? MarkerMapDelegate
            if mapView.delegate == nil { mapView.delegate = delegate }
            mapView.register(
                MarkerAnnotationView.self, forAnnotationViewWithReuseIdentifier: MarkerAnnotationView.identifier)
            visible.onChange = { [weak self] in self?.show($0) }
            visible.onError = { [weak self] error in
                MapMarkers.logger.error("\("\(error)", privacy: .public)")
                self?.onError(error)
            }
            delegate?.add(self)
            mapDidChange()
        }

        /// Removes the markers from the map. Without it, they stay as they are when this object is released.
        public func remove() {
            visible.onChange = { _ in }
            visible.viewport = nil
            mapView?.removeAnnotations(Array(annotations.values))
            annotations = [:]
        }

        /// With a cache that a map doesn't fill quickly.
        private static let session: URLSession = {
            let configuration = URLSessionConfiguration.default
            configuration.urlCache = URLCache(memoryCapacity: 32 << 20, diskCapacity: 256 << 20)
            return URLSession(configuration: configuration)
        }()

        // MARK: What the delegate forwards

        /// Shows what is visible now. For a delegate's `mapViewDidChangeVisibleRegion(_:)`.
        public func mapDidChange() {
            if let viewport = mapView?.viewport, viewport != visible.viewport { visible.viewport = viewport }
        }

        /// The view of an annotation; `nil` if it is none of these markers. For a delegate's `mapView(_:viewFor:)`.
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
            return view
        }

        // MARK: Drawing

        private func show(_ changes: MarkerChanges) {
            guard let mapView else { return }
            var moves: [(annotation: MarkerAnnotation, place: Coordinate)] = []
            for update in changes.updated {
                guard let annotation = annotations[update.id] else { continue }
                annotation.marker = update.marker
                draw(annotation)
                moves.append((annotation, update.marker.marker.coordinate))
            }
            let leaving = changes.removed.compactMap { removal in
                let annotation = annotations.removeValue(forKey: removal.id)
                if let annotation, let destination = removal.destination {
                    moves.append((annotation, destination.marker.coordinate))
                }
                return annotation
            }
            let arriving = changes.added.map { addition in
                let origin = (addition.origin ?? addition.marker).marker.coordinate
                let annotation = MarkerAnnotation(addition.id, addition.marker, at: origin, of: self)
                annotation.title = style.title(of: addition.marker)
                annotations[addition.id] = annotation
                if addition.origin != nil { moves.append((annotation, addition.marker.marker.coordinate)) }
                return annotation
            }
            mapView.addAnnotations(arriving)
            func move() { for (annotation, place) in moves { annotation.coordinate = place.location } }
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
            if let selection, changes.added.contains(where: { $0.id == selection }) { showSelection(instead: nil) }
            warnIfUnasked()
            onChange()
        }

        func draw(_ annotation: MarkerAnnotation) {
            guard let mapView else { return }
            annotation.title = style.title(of: annotation.marker)
            guard let view = mapView.view(for: annotation) else { return }
            if let view = view as? MarkerAnnotationView {
                view.show(annotation, look(of: annotation.marker))
            } else {
                // Another view: the app makes a new one.
                mapView.removeAnnotation(annotation)
                mapView.addAnnotation(annotation)
            }
        }

        /// Grows with the size of text, as far as circles don't overlap.
        private func look(of marker: FilteredMarker) -> MarkerLook {
            var look = style.look(of: marker, distance: visible.distance)
            let scaled = Double(UIFontMetrics.default.scaledValue(for: CGFloat(look.radius)))
            look.radius = max(look.radius, min(scaled, visible.distance / 2))
            return look
        }

        /// An app's delegate that doesn't forward its calls would leave the markers as MapKit's pins.
        private func warnIfUnasked() {
            guard warning == nil, !annotations.isEmpty else { return }
            warning = Task { [weak self] in
                try? await Task.sleep(for: .seconds(5))
                guard let self, !Task.isCancelled, !wasAskedForView, mapView?.window != nil else { return }
                MapMarkers.logger.error(
                    "The map view's delegate doesn't forward mapView(_:viewFor:) to MapMarkers.view(for:)")
            }
        }

        // MARK: Taps

        /// Does what a tap does: zooms in on a cluster that splits, or selects the marker. For markers with views of the
        /// app's own.
        public func open(_ annotation: MarkerAnnotation) {
            // The app may have selected a cluster itself.
            guard let mapView, annotation.owner === self, selection != annotation.id else { return }
            guard let (center, zoom) = destination(of: annotation) else {
                selection = annotation.id
                return onSelect(annotation.id)
            }
            mapView.deselectAnnotation(annotation, animated: false)
            mapView.go(to: center, zoom: zoom, animated: !UIAccessibility.isReduceMotionEnabled)
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

        /// MapKit has ended the selection of an annotation, or has removed its view.
        func didDeselect(_ annotation: MarkerAnnotation) {
            guard selection == annotation.id, annotations[annotation.id] === annotation,
                mapView?.selectedAnnotations.contains(where: { $0 === annotation }) == false
            else { return }
            selection = nil
            onSelect(nil)
        }

        private func showSelection(instead old: MarkerID?) {
            guard let mapView else { return }
            if let old = old.flatMap({ annotations[$0] }) { mapView.deselectAnnotation(old, animated: true) }
            guard let annotation = selection.flatMap({ annotations[$0] }),
                !mapView.selectedAnnotations.contains(where: { $0 === annotation })
            else { return }
            mapView.selectAnnotation(annotation, animated: true)
        }

        /// The app's view, or a list of the points at a place.
        func calloutView(of annotation: MarkerAnnotation) -> UIView? {
            let marker = annotation.marker
            if marker.count == 1, let own = callout?(marker) { return own }
            let others = visible.markers.filter { $0.marker.coordinate == marker.marker.coordinate }
            guard marker.count > 1 || others.count > 1 else { return nil }
            let label = UILabel()
            (label.numberOfLines, label.font) = (0, .preferredFont(forTextStyle: .footnote))
            if marker.count == 1 {
                label.text = names(others.map { style.title(of: $0) }, of: others.count)
                return label
            }
            list?.cancel()
            list = Task { [weak self, tiles, filter] in
                do {
                    guard let found = try await tiles?.points(of: marker, limit: 20, filter: filter), let self,
                        !Task.isCancelled
                    else { return }
                    label.text = self.names(found.points.map { self.style.name(of: $0) }, of: found.count)
                } catch {
                    self?.onError(error)
                }
            }
            return label
        }

        private func names(_ names: [String], of count: Int) -> String {
            let shown = names.prefix(20)
            return (shown + (count > shown.count ? ["…"] : [])).joined(separator: "\n")
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
            members.lazy.compactMap { $0.markers?.view(for: annotation) }.first
        }

        func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation) {
            // Our own view tells of its taps, also where the app has a delegate.
            guard let annotation = annotation as? MarkerAnnotation,
                !(mapView.view(for: annotation) is MarkerAnnotationView)
            else { return }
            annotation.owner?.open(annotation)
        }
    }
#endif
