import PyramidTiles

/// Somewhere to put tiles. Workers on several threads write at once, in any order, each tile once.
public protocol TileSink: Sendable {
    /// - Parameters:
    ///   - bytes: the tile as it is stored; valid during the call.
    ///   - entry: its address, sizes and checksums.
    func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) throws

    /// Keeps the tile that is there already, where it has this JSON and would be stored with the very same bytes.
    /// - Parameters:
    ///   - crc32: of the JSON.
    ///   - existing: the worker's; holds the file afterwards.
    /// - Returns: what the file is; `nil` where the tile has to be compressed and written.
    func keep(
        _ tile: TileCoordinate, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile?

    /// Takes a page of the points of a cluster; all pages of one cluster come from one thread, in their order.
    func write(_ bytes: UnsafeRawBufferPointer, for entry: LeafList.Entry) throws
}

extension TileSink {
    public func keep(
        _ tile: TileCoordinate, with json: UnsafeRawBufferPointer, crc32: UInt32, using existing: inout ExistingTile
    ) -> StoredFile? { nil }
}
