/// How the server answers for a tile that the pyramid doesn't have because no point lies there.
public enum MissingTileAnswer: String, CaseIterable, Sendable {
    /// 204 No Content.
    case noContent = "204"
    /// 404 Not Found, as most static hosts do.
    case notFound = "404"
    /// 200 with a FeatureCollection of no features, for clients that take 204 and 404 for failures.
    case empty
}
