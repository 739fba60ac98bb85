#if canImport(MapKit) && canImport(SwiftUI) && canImport(UIKit)
    import MapKit
    import PyramidClient
    import SwiftUI

    /// A map with the markers of a tileset.
    ///
    /// ```swift
    /// PyramidMap(tileset: url, filter: filter) { mapView in
    ///     mapView.showsUserLocation = true
    /// }
    /// ```
    public struct PyramidMap: UIViewRepresentable {
        private let source: Source
        private let filter: MarkerFilter
        private let style: MarkerStyle
        private let selection: Binding<MarkerID?>?
        private let onError: (any Error) -> Void
        private let configure: (MKMapView) -> Void

        /// Opens a tileset and shows it.
        /// - Parameters:
        ///   - tileset: the URL of the tileset or of its TileJSON.
        ///   - filter: the points to show.
        ///   - selection: the selected marker.
        ///   - configure: configures the new map view. If it sets a delegate, use ``MapMarkers`` instead, with a
        ///     representable of your own.
        public init(
            tileset: URL, filter: MarkerFilter = .all, style: MarkerStyle = MarkerStyle(),
            selection: Binding<MarkerID?>? = nil, onError: @escaping (any Error) -> Void = { _ in },
            configure: @escaping (MKMapView) -> Void = { _ in }
        ) {
            self.init(.url(tileset), filter, style, selection, onError, configure)
        }

        /// Shows a tileset that is open, such as one whose counts the app shows too.
        public init(
            tiles: RemoteTiles, filter: MarkerFilter = .all, style: MarkerStyle = MarkerStyle(),
            selection: Binding<MarkerID?>? = nil, onError: @escaping (any Error) -> Void = { _ in },
            configure: @escaping (MKMapView) -> Void = { _ in }
        ) {
            self.init(.tiles(tiles), filter, style, selection, onError, configure)
        }

        private init(
            _ source: Source, _ filter: MarkerFilter, _ style: MarkerStyle, _ selection: Binding<MarkerID?>?,
            _ onError: @escaping (any Error) -> Void, _ configure: @escaping (MKMapView) -> Void
        ) {
            (self.source, self.filter, self.style, self.selection) = (source, filter, style, selection)
            (self.onError, self.configure) = (onError, configure)
        }

        private enum Source {
            case url(URL)
            case tiles(RemoteTiles)

            var url: URL {
                switch self {
                case .url(let url): url
                case .tiles(let tiles): tiles.url
                }
            }
        }

        @MainActor public final class Coordinator {
            fileprivate var markers: MapMarkers?
            fileprivate var url: URL?
        }

        public func makeCoordinator() -> Coordinator { Coordinator() }

        public func makeUIView(context: Context) -> MKMapView {
            let mapView = MKMapView()
            configure(mapView)
            return mapView
        }

        public func updateUIView(_ mapView: MKMapView, context: Context) {
            let coordinator = context.coordinator
            if coordinator.url != source.url {
                coordinator.url = source.url
                coordinator.markers?.remove()
                coordinator.markers =
                    switch source {
                    case .url(let url): MapMarkers(on: mapView, tileset: url)
                    case .tiles(let tiles): MapMarkers(on: mapView, tiles: tiles)
                    }
            }
            guard let markers = coordinator.markers else { return }
            (markers.filter, markers.style, markers.onError) = (filter, style, onError)
            guard let selection else { return }
            markers.onSelect = { selection.wrappedValue = $0 }
            markers.selection = selection.wrappedValue
        }
    }
#endif
