// What the samples of "Showing markers" take from Google's Maps SDK for iOS.
@_exported import CoreLocation
import UIKit

public final class GMSCameraPosition: NSObject {
    public var target: CLLocationCoordinate2D { fatalError() }
    public var zoom: Float { fatalError() }
}

public struct GMSVisibleRegion: Sendable {}

public final class GMSProjection: NSObject {
    public func visibleRegion() -> GMSVisibleRegion { fatalError() }
}

public final class GMSCoordinateBounds: NSObject {
    public init(region: GMSVisibleRegion) {}
    public var isValid: Bool { fatalError() }
    public var northEast: CLLocationCoordinate2D { fatalError() }
    public var southWest: CLLocationCoordinate2D { fatalError() }
}

open class GMSOverlay: NSObject {
    public weak var map: GMSMapView?
}

open class GMSMarker: GMSOverlay {
    public convenience init(position: CLLocationCoordinate2D) { fatalError() }
    public var groundAnchor: CGPoint {
        get { fatalError() }
        set { fatalError() }
    }
    public var iconView: UIView?
    public var position: CLLocationCoordinate2D {
        get { fatalError() }
        set { fatalError() }
    }
    public var tracksViewChanges: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

/// In the SDK its methods are optional. Here the one that is used isn't, or nobody would notice that it is misspelled.
/// Not every version of the SDK isolates it to the main actor.
public protocol GMSMapViewDelegate: NSObjectProtocol {
    func mapView(_ mapView: GMSMapView, idleAt position: GMSCameraPosition)
}

public final class GMSMapViewOptions: NSObject {}

@MainActor public final class GMSMapView: UIView {
    public convenience init(options: GMSMapViewOptions) { fatalError() }
    public weak var delegate: (any GMSMapViewDelegate)?
    public var camera: GMSCameraPosition {
        get { fatalError() }
        set { fatalError() }
    }
    public var projection: GMSProjection { fatalError() }
}
