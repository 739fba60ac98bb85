import PyramidStore
import PyramidTiles

/// A tile with a file of its own, or a page, as it is listed.
package struct ListedFile<Address: Hashable & Sendable>: Hashable, Sendable {
    package let address: Address
    package let file: StoredFile
}

extension TilesetReader {
    package func tileEntries() throws -> [ListedFile<TileCoordinate>] {
        try fileList()[.tile].compactMap { entry in
            entry.address.tile.map { ListedFile(address: $0, file: entry.file) }
        }
    }

    package func pageEntries() throws -> [ListedFile<PointPage>] {
        try fileList()[.page].compactMap { entry in
            entry.address.page.map { ListedFile(address: $0, file: entry.file) }
        }
    }
}

extension FileList.Entry {
    package init(
        address: FileAddress, byteCount: Int, crc32: UInt32, bodyByteCount: Int, bodyCRC32: UInt32
    ) {
        self.init(
            address: address,
            file: StoredFile(byteCount: byteCount, crc32: crc32, bodyByteCount: bodyByteCount, bodyCRC32: bodyCRC32))
    }
}

extension TilesetLayout {
    /// - Parameter bundleLimit: `nil` for a file for every tile.
    package init(bundleLimit: Int?) { self = bundleLimit.map { .bundles(limit: $0) } ?? .files }
}

extension PointPage {
    /// Reads "cluster/page"; `nil` for any other text.
    package init?(_ text: String) {
        guard let page = FileAddress("leaves/\(text)")?.page else { return nil }
        self = page
    }
}
