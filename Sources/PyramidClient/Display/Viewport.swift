import Foundation
import PyramidTiles

/// The visible part of a map.
public struct Viewport: Hashable, Sendable {
    /// `west` is greater than `east` if the box crosses the antimeridian.
    public let box: BoundingBox
    /// The zoom of a map whose world is 256 points wide at zoom 0, as in Leaflet and Google Maps. It may have a fraction.
    public let zoom: Double

    public init(box: BoundingBox, zoom: Double) {
        precondition(zoom.isFinite, "a zoom that is no number")
        (self.box, self.zoom) = (box, zoom)
    }

    /// A rectangle of the Web Mercator map. It may reach over the antimeridian and off the map. `nil` if it is empty or if a
    /// number isn't finite, as before a map is laid out.
    ///
    /// Lengths are in widths of the world: an `MKMapRect` divided by the width of `MKMapRect.world`.
    /// - Parameters:
    ///   - x: the western side, from longitude -180 eastward.
    ///   - y: the northern side, from latitude 85.0511 southward.
    ///   - zoom: see ``zoom``.
    public init?(x: Double, y: Double, width: Double, height: Double, zoom: Double) {
        guard [x, y, width, height, zoom].allSatisfy(\.isFinite), width > 0, height > 0 else { return nil }
        func units(_ share: Double) -> UInt32 { UInt32(min(max(share, 0) * 0x1p32, 0x1p32 - 1)) }
        func longitude(_ x: Double) -> Int32 {
            WebMercator.unproject(WorldPoint(x: units(x - x.rounded(.down)), y: 0)).longitudeMicrodegrees
        }
        func latitude(_ y: Double) -> Int32 {
            WebMercator.unproject(WorldPoint(x: 0, y: units(y))).latitudeMicrodegrees
        }
        let isWorld = width >= 1
        let box = BoundingBox(
            west: isWorld ? -180_000_000 : longitude(x),
            south: y + height >= 1 ? -90_000_000 : latitude(y + height),
            east: isWorld ? 180_000_000 : longitude(x + width), north: y <= 0 ? 90_000_000 : latitude(y))
        self.init(box: box, zoom: zoom)
    }

    /// The zoom of the tiles that the map shows. An animated zoom may end a little too low.
    var tileZoom: Int { min(max(Int((zoom + 0.01).rounded(.down)), 0), TileCoordinate.zooms.upperBound) }

    /// The box, wider by some screen points on each side.
    func grown(byScreenPoints points: Double) -> BoundingBox { box.grown(byUnits: points * 0x1p24 / exp2(zoom)) }
}
