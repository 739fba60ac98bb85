// What PyramidMapKit and the samples of the articles take from MapKit.
@_exported import CoreLocation
@_exported import UIKit

public struct MKMapPoint: Sendable {
    public var x, y: Double
    public init(_ coordinate: CLLocationCoordinate2D) { fatalError() }
}

public struct MKMapSize: Sendable {
    public var width, height: Double
}

public struct MKMapRect: Sendable {
    public static var world: MKMapRect { fatalError() }
    public var origin: MKMapPoint
    public var size: MKMapSize
}

public final class MKMapCamera: NSObject {
    public convenience init(
        lookingAtCenter center: CLLocationCoordinate2D, fromDistance distance: CLLocationDistance, pitch: CGFloat,
        heading: CLLocationDirection
    ) { fatalError() }
    public var centerCoordinate: CLLocationCoordinate2D { fatalError() }
    public var centerCoordinateDistance: CLLocationDistance { fatalError() }
    public var heading: CLLocationDirection { fatalError() }
    public var pitch: CGFloat { fatalError() }
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

public struct MKFeatureDisplayPriority: RawRepresentable, Hashable, Sendable {
    public let rawValue: Float
    public init(rawValue: Float) { self.rawValue = rawValue }
    public static let required = MKFeatureDisplayPriority(rawValue: 1000)
}

@MainActor open class MKAnnotationView: UIView {
    public enum CollisionMode: Int, Sendable { case rectangle, circle, none }
    public init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) { fatalError() }
    public required init?(coder: NSCoder) { fatalError() }
    open var annotation: (any MKAnnotation)?
    open var canShowCallout: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    open var collisionMode: CollisionMode {
        get { fatalError() }
        set { fatalError() }
    }
    open var detailCalloutAccessoryView: UIView?
    open var displayPriority: MKFeatureDisplayPriority {
        get { fatalError() }
        set { fatalError() }
    }
    open func setSelected(_ selected: Bool, animated: Bool) {}
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
    func mapView(_ mapView: MKMapView, didDeselect annotation: any MKAnnotation)
}

@MainActor open class MKMapView: UIView {
    public convenience init() { fatalError() }
    public weak var delegate: (any MKMapViewDelegate)?
    public var camera: MKMapCamera {
        get { fatalError() }
        set { fatalError() }
    }
    public func setCamera(_ camera: MKMapCamera, animated: Bool) {}
    public var visibleMapRect: MKMapRect {
        get { fatalError() }
        set { fatalError() }
    }
    public var showsUserLocation: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public func convert(_ point: CGPoint, toCoordinateFrom view: UIView?) -> CLLocationCoordinate2D { fatalError() }
    public var annotations: [any MKAnnotation] { fatalError() }
    public func addAnnotation(_ annotation: any MKAnnotation) {}
    public func addAnnotations(_ annotations: [any MKAnnotation]) {}
    public func removeAnnotation(_ annotation: any MKAnnotation) {}
    public func removeAnnotations(_ annotations: [any MKAnnotation]) {}
    public var selectedAnnotations: [any MKAnnotation] {
        get { fatalError() }
        set { fatalError() }
    }
    public func selectAnnotation(_ annotation: any MKAnnotation, animated: Bool) {}
    public func deselectAnnotation(_ annotation: (any MKAnnotation)?, animated: Bool) {}
    public func view(for annotation: any MKAnnotation) -> MKAnnotationView? { fatalError() }
    public func register(_ view: AnyClass?, forAnnotationViewWithReuseIdentifier identifier: String) {}
    public func dequeueReusableAnnotationView(
        withIdentifier identifier: String, for annotation: any MKAnnotation
    ) -> MKAnnotationView { fatalError() }
}
