import PyramidTiles

/// The page beside the tiles that shows them on a map, if the build was asked for one. Its checksum stands in the manifest.
///
/// A pyramid's directory may have an `index.html` of the user's own, which is never touched.
enum PreviewFile {
    private static let name = TilesetMetadata.previewName

    /// Throws where a page is to be written and the file of its name is not one that a build has written.
    static func check(_ page: [UInt8]?, in root: DirectoryHandle) throws(OutputError) {
        guard let page, root.contains(name), !isOurs(page, in: root) else { return }
        throw OutputError(
            .unusable, root.path + "/" + name,
            "is not the page that a build has written; remove it, or build without a preview")
    }

    /// Removes the page of the build before.
    static func removeEarlier(in root: DirectoryHandle) throws(OutputError) {
        if isOurs(nil, in: root) { _ = try root.remove(name) }
    }

    /// Whether the file has the bytes of the manifest's checksum, or those of `page`: an interrupted build may have written
    /// them before the manifest.
    private static func isOurs(_ page: [UInt8]?, in root: DirectoryHandle) -> Bool {
        guard let content = (try? root.content(of: name)) ?? nil else { return false }
        if content == page { return true }
        let manifest = ((try? root.content(of: Manifest.fileName)) ?? nil).flatMap { try? Manifest(decoding: $0) }
        return manifest?.files[name] == Manifest.FileSummary(of: content)
    }
}
