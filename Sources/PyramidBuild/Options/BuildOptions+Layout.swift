import PyramidStore
import PyramidTiles

extension BuildOptions {
    /// The first option that can't be used with the layout, or a layout that doesn't fit the output's name.
    var layoutProblem: OptionMessage? {
        let expected = TilesetLayout(outputPath: outputPath)
        switch storage.layout {
        case _ where part != nil: return bundleProblem
        case .archive where expected == .archive: return archiveProblem
        case .bundles where expected == .archive: return "\(.bundle) can't be used with .pmtiles output"
        case _ where expected == .archive || storage.layout == .archive:
            return "the output is \(outputPath); names of archives, and only those, must end in "
                + "\(ArchiveTilesetWriter.suffix)"
        case .files, .bundles, .archive: return bundleProblem
        }
    }

    private var bundleProblem: OptionMessage? {
        guard storage.layout.bundleLimit != nil, clusters.hasParents else { return nil }
        return "\(.parents) can't be used with \(.bundle), which stores a marker once for several zooms"
    }

    /// The first option that can't be used with an archive.
    private var archiveProblem: OptionMessage? {
        if clusters.hasLeaves { return "\(.leaves) can't be used with .pmtiles output" }
        if previewPage != nil { return "\(.preview) can't be used with .pmtiles output" }
        if storage.compression == .none { return "\(.compression) none can't be used with .pmtiles output" }
        if storage.suffix != storage.codec.defaultSuffix { return "\(.tileSuffix) can't be used with .pmtiles output" }
        return tileJSON.baseURL == nil ? nil : "\(.baseURL) can't be used with .pmtiles output"
    }
}
