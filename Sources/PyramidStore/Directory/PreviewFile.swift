import PyramidTiles

/// The optional page that shows the tiles on a map, `index.html`. The manifest has its checksum.
///
/// The directory may contain the user's own `index.html`, which is never changed.
enum PreviewFile {
    private static let name = TilesetMetadata.previewName

    /// Throws if a page is to be written, but the directory has a file with its name that no build has written.
    static func check(_ page: [UInt8]?, in root: DirectoryHandle) throws(OutputError) {
        guard let page, root.contains(name), !isOurs(page, in: root) else { return }
        throw OutputError(
            .unusable, root.path + "/" + name,
            "is not a page that a build has written; move it away", cause: .foreignPage)
    }

    /// Removes the previous build's page.
    static func removeEarlier(in root: DirectoryHandle) throws(OutputError) {
        if isOurs(nil, in: root) { _ = try root.remove(name) }
    }

    /// Whether a build has written the file: it has the checksum in the manifest, or the bytes of `page`, which an
    /// interrupted build may have written before the manifest; or the manifest lists it, and nobody can have edited it,
    /// because it is only the beginning of `page` or no text.
    private static func isOurs(_ page: [UInt8]?, in root: DirectoryHandle) -> Bool {
        guard let content = (try? root.content(of: name)) ?? nil else { return false }
        if content == page { return true }
        let files = ((try? root.content(of: Manifest.fileName)) ?? nil).flatMap { Manifest.files(in: $0) }
        guard let listed = files?[name] else { return false }
        return listed == Manifest.FileSummary(of: content) || content.isEmpty || page?.starts(with: content) == true
            || content.contains(0) || String(validating: content, as: UTF8.self) == nil
    }
}
