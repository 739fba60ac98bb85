// What the samples of the articles take from MapKit.
@_exported import CoreLocation
@_exported import UIKit

public struct MKMapPoint: Sendable {
    public var x, y: Double
    public init(_ coordinate: CLLocationCoordinate2D) { fatalError() }
}

public struct MKMapRect: Sendable {
    public init(x: Double, y: Double, width: Double, height: Double) {}
}

public struct MKCoordinateSpan: Sendable {
    public var latitudeDelta, longitudeDelta: CLLocationDegrees
}

public struct MKCoordinateRegion: Sendable {
    public var center: CLLocationCoordinate2D
    public var span: MKCoordinateSpan
}

public protocol MKAnnotation: NSObjectProtocol {
    var coordinate: CLLocationCoordinate2D { get }
}

open class MKShape: NSObject {
    open var title: String?
}

open class MKPointAnnotation: MKShape, MKAnnotation {
    open var coordinate: CLLocationCoordinate2D {
        get { fatalError() }
        set { fatalError() }
    }
}

@MainActor open class MKAnnotationView: UIView {
    public enum DisplayPriority: Sendable { case required, defaultHigh, defaultLow }
    public var displayPriority: DisplayPriority {
        get { fatalError() }
        set { fatalError() }
    }
    public var annotation: (any MKAnnotation)?
    public var canShowCallout: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

@MainActor public final class MKMarkerAnnotationView: MKAnnotationView {
    public var glyphText: String?
    public var markerTintColor: UIColor?
}

/// In MapKit its methods are optional. Here they aren't, or nobody would notice that one is misspelled.
@MainActor public protocol MKMapViewDelegate: NSObjectProtocol {
    func mapViewDidChangeVisibleRegion(_ mapView: MKMapView)
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView?
    func mapView(_ mapView: MKMapView, didSelect annotation: any MKAnnotation)
}

@MainActor public final class MKMapView: UIView {
    public weak var delegate: (any MKMapViewDelegate)?
    public var region: MKCoordinateRegion {
        get { fatalError() }
        set { fatalError() }
    }
    public var (isRotateEnabled, isPitchEnabled) = (true, true)
    public func setVisibleMapRect(_ rect: MKMapRect, animated: Bool) {}
    public func addAnnotation(_ annotation: any MKAnnotation) {}
    public func removeAnnotation(_ annotation: any MKAnnotation) {}
    public func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {}
    public func view(for annotation: any MKAnnotation) -> MKAnnotationView? { fatalError() }
    public func register(_ view: AnyClass?, forAnnotationViewWithReuseIdentifier identifier: String) {}
    public func dequeueReusableAnnotationView(
        withIdentifier identifier: String, for annotation: any MKAnnotation
    ) -> MKAnnotationView { fatalError() }
}
