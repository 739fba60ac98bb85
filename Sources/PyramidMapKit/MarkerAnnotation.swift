#if canImport(MapKit) && canImport(UIKit)
    import MapKit
    import PyramidClient
    import PyramidTiles

    /// A marker on a map view.
    public final class MarkerAnnotation: MKPointAnnotation {
        public let id: MarkerID
        public internal(set) var marker: FilteredMarker
        weak var owner: MapMarkers?

        init(_ id: MarkerID, _ marker: FilteredMarker, at place: CLLocationCoordinate2D, of owner: MapMarkers) {
            (self.id, self.marker, self.owner) = (id, marker, owner)
            super.init()
            coordinate = place
        }
    }

    extension Coordinate {
        var location: CLLocationCoordinate2D { CLLocationCoordinate2D(latitude: latitude, longitude: longitude) }
    }

    extension FilteredMarker {
        var location: CLLocationCoordinate2D { marker.coordinate.location }
    }

    extension MKMapView {
        /// What is visible; `nil` before the view is laid out.
        var viewport: Viewport? {
            let (rect, world) = (visibleMapRect, MKMapRect.world.size.width)
            guard let zoom else { return nil }
            return Viewport(
                x: rect.origin.x / world, y: rect.origin.y / world, width: rect.size.width / world,
                height: rect.size.height / world, zoom: zoom)
        }

        /// The zoom in the middle of the view, measured across it, where a tilted map has the scale of an upright one. The
        /// visible rectangle would do only on a map that is neither rotated nor tilted.
        private var zoom: Double? {
            let (x, y, reach) = (Double(bounds.midX), Double(bounds.midY), min(Double(bounds.width) / 2, 50))
            guard reach > 0 else { return nil }
            func place(_ x: Double) -> MKMapPoint {
                MKMapPoint(convert(CGPoint(x: x, y: y), toCoordinateFrom: self))
            }
            let (left, right, world) = (place(x - reach), place(x + reach), MKMapRect.world.size.width)
            // The short way round, as the antimeridian may be between them.
            let length = hypot(remainder(right.x - left.x, world), right.y - left.y)
            let zoom = log2(world / 256 * 2 * reach / length)
            return zoom.isFinite ? zoom : nil
        }

        /// Keeps the heading and the pitch.
        func go(to center: Coordinate, zoom target: Double, animated: Bool) {
            guard let zoom else { return }
            func metersPerPoint(_ latitude: Double) -> Double { cos(latitude * .pi / 180) }
            let scale =
                exp2(zoom - target) * metersPerPoint(center.latitude) / metersPerPoint(camera.centerCoordinate.latitude)
            let camera = MKMapCamera(
                lookingAtCenter: center.location, fromDistance: camera.centerCoordinateDistance * scale,
                pitch: camera.pitch, heading: camera.heading)
            setCamera(camera, animated: animated)
        }
    }
#endif
