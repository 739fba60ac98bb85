import Foundation

@testable import PyramidTiles

/// A vector tile that can be read is JSON, with as many places as features, and reading it needs no more than its JSON does.
func checkMVT(_ bytes: UnsafeRawBufferPointer) {
    let body = [UInt8](bytes)
    guard let transcript = try? MVTTileDecoder.transcript(of: body, at: world) else { return }
    let json = try? JSONSerialization.jsonObject(with: Data(transcript.json)) as? [String: Any]
    let features = json?["features"] as? [Any]
    require(features != nil, "a vector tile is no GeoJSON: \(String(decoding: transcript.json, as: UTF8.self))")
    require(features?.count == transcript.places.count, "a vector tile has other places than features")
    guard let tile = try? MVTTileDecoder.decode(body, at: world) else { return }
    require(tile.markers.count == transcript.places.count, "a vector tile has other markers than features")
}
