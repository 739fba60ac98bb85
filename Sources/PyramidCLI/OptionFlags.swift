import PyramidTiles

extension OptionName {
    /// How the command line spells the option.
    var flag: String {
        switch self {
        case .longitudeColumn: "--longitude-column"
        case .latitudeColumn: "--latitude-column"
        case .pointColumn: "--point-column"
        case .idColumn: "--id-column"
        case .include: "--include"
        case .exclude: "--exclude"
        case .types: "--types"
        case .schema: "--schema"
        case .method: "--method"
        case .mode: "--mode"
        case .keepCount: "--keep-count"
        case .position: "--position"
        case .clusterDistance: "--cluster-distance"
        case .cellSize: "--cell-size"
        case .minPoints: "--min-points"
        case .coincidentLimit: "--coincident-limit"
        case .priority: "--priority"
        case .weight: "--weight"
        case .groupBy: "--group-by"
        case .unclustered: "--unclustered"
        case .tileSize: "--tile-size"
        case .minZoom: "--min-zoom"
        case .maxZoom: "--max-zoom"
        case .clusterMaxZoom: "--cluster-maxzoom"
        case .accumulateAttribute: "--accumulate-attribute"
        case .countBy: "--count-by"
        case .clusterProperties: "--cluster-properties"
        case .members: "--members"
        case .memberProperties: "--member-properties"
        case .leaves: "--leaves"
        case .parents: "--parents"
        case .format: "--format"
        case .mvtProperties: "--mvt-properties"
        case .layer: "--layer"
        case .tileSuffix: "--tile-suffix"
        case .bundle: "--bundle"
        case .preview: "--preview"
        case .compression: "--compression"
        case .compressionLevel: "--compression-level"
        case .baseURL: "--base-url"
        case .part: "--part"
        case .cutZoom: "--cut-zoom"
        case .basemap: "--basemap"
        case .basemapAttribution: "--basemap-attribution"
        case .force: "--force"
        case .jobs: "--jobs"
        case .memoryLimit: "--memory-limit"
        case .uploadAll: "--all"
        case .cacheControl: "--cache-control"
        case .metadataCacheControl: "--metadata-cache-control"
        }
    }
}

extension OptionMessage {
    /// The message for the user of the command line.
    var withFlags: String { spelled(\.flag) }
}
