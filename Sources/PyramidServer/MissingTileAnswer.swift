/// How the server answers for a tile that doesn't exist because it holds no points.
public enum MissingTileAnswer: String, CaseIterable, Sendable {
    /// 204 No Content.
    case noContent = "204"
    /// 404 Not Found, as most static hosts do.
    case notFound = "404"
    /// 200 with an empty FeatureCollection, for clients that treat 204 and 404 as failures.
    case empty
}
