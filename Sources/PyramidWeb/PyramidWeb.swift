/// The JavaScript library, to embed in pages.
public enum WebLibrary {
    /// The modules that show markers on a Leaflet map, and their legend, by file name.
    public static var modules: [String: [UInt8]] {
        [
            "appearance.js": PackageResources.appearance_js,
            "bundle-index.js": PackageResources.bundle_index_js,
            "byte-reader.js": PackageResources.byte_reader_js,
            "details.js": PackageResources.details_js,
            "facets.js": PackageResources.facets_js,
            "filter.js": PackageResources.filter_js,
            "geometry.js": PackageResources.geometry_js,
            "hierarchy.js": PackageResources.hierarchy_js,
            "leaflet.js": PackageResources.leaflet_js,
            "leaflet-canvas.js": PackageResources.leaflet_canvas_js,
            "leaves.js": PackageResources.leaves_js,
            "legend.js": PackageResources.legend_js,
            "legend-column.js": PackageResources.legend_column_js,
            "legend-hash.js": PackageResources.legend_hash_js,
            "legend-plain.js": PackageResources.legend_plain_js,
            "legend-slider.js": PackageResources.legend_slider_js,
            "legend-style.js": PackageResources.legend_style_js,
            "legend-text.js": PackageResources.legend_text_js,
            "map-adapter.js": PackageResources.map_adapter_js,
            "marker.js": PackageResources.marker_js,
            "marker-changes.js": PackageResources.marker_changes_js,
            "marker-event.js": PackageResources.marker_event_js,
            "marker-map.js": PackageResources.marker_map_js,
            "marker-opener.js": PackageResources.marker_opener_js,
            "marker-scene.js": PackageResources.marker_scene_js,
            "marker-view.js": PackageResources.marker_view_js,
            "mvt.js": PackageResources.mvt_js,
            "pmtiles.js": PackageResources.pmtiles_js,
            "records.js": PackageResources.records_js,
            "requests.js": PackageResources.requests_js,
            "shared-work.js": PackageResources.shared_work_js,
            "spider.js": PackageResources.spider_js,
            "stacks.js": PackageResources.stacks_js,
            "tile-cache.js": PackageResources.tile_cache_js,
            "tileset.js": PackageResources.tileset_js,
        ]
    }
}
