// What the samples of "Showing markers" take from MapKit.
@_exported import CoreLocation
import UIKit

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

open class MKShape: NSObject {}

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
}

@MainActor public final class MKMarkerAnnotationView: MKAnnotationView {
    public var glyphText: String?
    public var markerTintColor: UIColor?
}

/// In MapKit its methods are optional. Here they aren't, or nobody would notice that one is misspelled.
@MainActor public protocol MKMapViewDelegate: NSObjectProtocol {
    func mapViewDidChangeVisibleRegion(_ mapView: MKMapView)
    func mapView(_ mapView: MKMapView, viewFor annotation: any MKAnnotation) -> MKAnnotationView?
}

@MainActor public final class MKMapView: UIView {
    public weak var delegate: (any MKMapViewDelegate)?
    public var region: MKCoordinateRegion {
        get { fatalError() }
        set { fatalError() }
    }
    public func addAnnotation(_ annotation: any MKAnnotation) {}
    public func removeAnnotation(_ annotation: any MKAnnotation) {}
    public func view(for annotation: any MKAnnotation) -> MKAnnotationView? { fatalError() }
    public func register(_ view: AnyClass?, forAnnotationViewWithReuseIdentifier identifier: String) {}
    public func dequeueReusableAnnotationView(
        withIdentifier identifier: String, for annotation: any MKAnnotation
    ) -> MKAnnotationView { fatalError() }
}
