import PyramidStore
import PyramidTiles

/// A tile with a file of its own, as it is listed.
package struct ListedFile<Address: Hashable & Sendable>: Hashable, Sendable {
    package let address: Address
    package let file: StoredFile
}

extension TilesetReader {
    package func tileEntries() throws -> [ListedFile<TileCoordinate>] {
        try fileList()[.tile].map { ListedFile(address: $0.address.tile, file: $0.file) }
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
