#if canImport(MapKit) && canImport(SwiftUI) && canImport(UIKit)
    import MapKit
    import PyramidClient
    import SwiftUI

    /// A map with the markers of a tileset.
    ///
    /// ```swift
    /// PyramidMap(tileset: url, filter: filter) { mapView, markers in
    ///     mapView.showsUserLocation = true
    ///     markers.onError = { print($0) }
    /// }
    /// ```
    ///
    /// If the filter is a function, keep it in `@State`. Two functions are never equal, so a filter made in `body` loads the
    /// markers again at each update.
    public struct PyramidMap: UIViewRepresentable {
        private let url: URL
        private let makeMarkers: @MainActor (MKMapView) -> MapMarkers
        private let filter: MarkerFilter
        private let style: MarkerStyle
        private let selection: Binding<MarkerID?>?
        private let configure: (MKMapView, MapMarkers) -> Void

        /// Opens a tileset and shows it.
        /// - Parameters:
        ///   - tileset: the URL of the tileset or of its TileJSON.
        ///   - filter: the points to show.
        ///   - selection: the selected marker.
        ///   - configure: configures the map view and its markers, once for each tileset. If it sets a delegate, that forwards
        ///     the calls that ``MapMarkers`` needs.
        public init(
            tileset: URL, filter: MarkerFilter = .all, style: MarkerStyle = MarkerStyle(),
            selection: Binding<MarkerID?>? = nil, configure: @escaping (MKMapView, MapMarkers) -> Void = { _, _ in }
        ) {
            (url, makeMarkers) = (tileset, { MapMarkers(on: $0, tileset: tileset, filter: filter) })
            (self.filter, self.style, self.selection, self.configure) = (filter, style, selection, configure)
        }

        /// Shows a tileset that is open, such as one whose counts the app shows too.
        public init(
            tiles: RemoteTiles, filter: MarkerFilter = .all, style: MarkerStyle = MarkerStyle(),
            selection: Binding<MarkerID?>? = nil, configure: @escaping (MKMapView, MapMarkers) -> Void = { _, _ in }
        ) {
            (url, makeMarkers) = (tiles.url, { MapMarkers(on: $0, tiles: tiles, filter: filter) })
            (self.filter, self.style, self.selection, self.configure) = (filter, style, selection, configure)
        }

        @MainActor public final class Coordinator {
            fileprivate var markers: MapMarkers?
            fileprivate var url: URL?
        }

        public func makeCoordinator() -> Coordinator { Coordinator() }

        public func makeUIView(context: Context) -> MKMapView { MKMapView() }

        public func updateUIView(_ mapView: MKMapView, context: Context) {
            let coordinator = context.coordinator
            if coordinator.url != url {
                coordinator.markers?.remove()
                let markers = makeMarkers(mapView)
                (coordinator.url, coordinator.markers) = (url, markers)
                configure(mapView, markers)
            }
            guard let markers = coordinator.markers else { return }
            (markers.filter, markers.style) = (filter, style)
            guard let selection else { return }
            markers.onSelect = { selection.wrappedValue = $0 }
            markers.selection = selection.wrappedValue
        }
    }
#endif
