import PyramidStore
import PyramidTiles

extension BuildOptions {
    /// Throws `OutputError` if nothing can be built at the output path. Changes nothing there.
    package func checkOutput() throws {
        let output = FolderChain(outputPath)
        if let input = inputPaths.first(where: { $0 != "-" && FolderChain($0).isInside(output) }) {
            throw OutputError(.unusable, outputPath, "would hold or replace the input \(input), expected another place")
        }
        try LocalTileset.check(path: outputPath, storage.layout, force: force, previewPage: previewPage)
    }

    /// Opens the directory or the archive.
    package func openOutput() throws -> any TilesetWriter {
        try LocalTileset.writer(
            path: outputPath, storage: storage, compressor: storage.compressorName(level: compressionLevel),
            force: force, jobs: jobs, syncs: syncs, memory: listMemory)
    }
}
