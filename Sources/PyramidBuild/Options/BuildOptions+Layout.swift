import PyramidStore
import PyramidTiles

extension BuildOptions {
    /// The first option that makes no sense with the layout, or the layout that makes none with the output's name.
    var layoutProblem: OptionMessage? {
        let expected = TilesetLayout(outputPath: outputPath)
        switch storage.layout {
        case _ where part != nil: return bundleProblem
        case .archive where expected == .archive: return archiveProblem
        case .bundles where expected == .archive:
            return "an archive is one file in any case, expected no \(.bundle)"
        case _ where expected == .archive || storage.layout == .archive:
            return
                "the output is \(outputPath), expected a name with \(ArchiveTilesetWriter.suffix) for an archive only"
        case .files, .bundles, .archive: return bundleProblem
        }
    }

    private var bundleProblem: OptionMessage? {
        guard storage.layout.bundleLimit != nil, clusters.hasParents else { return nil }
        return "\(.parents) makes a marker differ from zoom to zoom, expected no \(.bundle)"
    }

    /// The first option that an archive has no place for.
    private var archiveProblem: OptionMessage? {
        if clusters.hasLeaves { return "an archive has no place for pages, expected no \(.leaves)" }
        if previewPage != nil { return "an archive has no place for a page, expected no \(.preview)" }
        if storage.compression == .none {
            return "tiles in an archive are compressed, expected no \(.compression) none"
        }
        if storage.suffix != storage.codec.defaultSuffix {
            return "tiles in an archive have no names, expected no \(.tileSuffix)"
        }
        if tileJSON.baseURL != nil { return "tiles in an archive have no URLs, expected no \(.baseURL)" }
        return nil
    }
}
