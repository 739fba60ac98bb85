@_exported import Foundation

public typealias CLLocationDegrees = Double
public typealias CLLocationDirection = Double
public typealias CLLocationDistance = Double

public struct CLLocationCoordinate2D: Sendable {
    public var latitude, longitude: CLLocationDegrees
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) { fatalError() }
}
