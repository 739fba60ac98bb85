import PyramidBuild
import PyramidStore
import PyramidTiles

/// A part of the world that is built separately and joined with the others later.
///
/// A part has the tiles of its area at all zooms higher than the cut zoom, and hands over its markers of the cut zoom.
/// From these, the join makes the tiles of the cut zoom and of all lower zooms.
public struct WorldPart: Equatable, Sendable {
    /// The tile whose points belong to the part. Parts may have tiles of different zooms.
    public var tile: TileCoordinate
    /// The last zoom that the join writes, the same for all parts.
    public var cutZoom: Int

    public init(tile: TileCoordinate, cutZoom: Int) {
        self.tile = tile
        self.cutZoom = cutZoom
    }
}

/// Which part of a tileset to build, and how.
public struct PartOptions: Sendable {
    /// The output is the part's file, for ``PartJoiner``. The options that affect bytes must be the same for all parts.
    public var build: BuildOptions
    public var part: WorldPart

    public init(build: BuildOptions, part: WorldPart) {
        self.build = build
        self.part = part
    }

    /// The first invalid option, described for the user; `nil` if all are valid.
    public var problem: OptionMessage? { build.inputPathProblem ?? partProblem ?? build.otherProblem }

    /// The first option that can't be used when building a part, or that is missing for it.
    private var partProblem: OptionMessage? {
        let (input, clustering) = (build.input, build.clustering)
        if ArchiveTilesetWriter.isArchive(build.outputPath) {
            return "\(.part) can't be used with .pmtiles output; join the parts into an archive"
        }
        if build.schema == nil {
            return "\(.part) needs \(.schema) FILE; \(.makeSchema)"
        }
        if build.choosesMaxZoom {
            return "\(.part) needs \(.maxZoom) with a number, the same for all parts"
        }
        if let option = input.ofCSV { return "\(option) can't be used with \(.part), which reads GeoJSON" }
        if input.maxSkipped != nil {
            return "\(.maxSkipped) can't be used with \(.part); use it when joining the parts"
        }
        if build.previewPage != nil { return "\(.preview) can't be used with \(.part); use it when joining the parts" }
        guard clustering.clusterMaxZoom > clustering.minZoom else {
            return
                "\(.part) needs two zooms with clusters; use a lower \(.minZoom) or a higher \(.clusterMaxZoom)"
        }
        let zooms = clustering.minZoom...clustering.clusterMaxZoom - 1
        guard zooms.contains(part.cutZoom) else {
            let expected = zooms.count == 1 ? "\(zooms.lowerBound)" : "\(zooms.lowerBound) to \(zooms.upperBound)"
            return
                "\(.cutZoom) is \(part.cutZoom), expected \(expected), lower than the last zoom with clusters"
        }
        if part.tile.z > part.cutZoom {
            return "\(.part) is \(part.tile), expected a tile of a zoom up to \(part.cutZoom), the cut zoom"
        }
        return nil
    }
}

extension OptionName {
    public static var part: OptionName { OptionName() }
    public static var cutZoom: OptionName { OptionName() }
}
