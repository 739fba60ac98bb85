/// Somewhere to put tiles. Workers on several threads write at once, in any order, each tile once.
public protocol TileSink: Sendable {
    /// - Parameters:
    ///   - bytes: the tile as it is stored; valid during the call.
    ///   - entry: its address, sizes and checksums.
    func write(_ bytes: UnsafeRawBufferPointer, for entry: TileList.Entry) throws

    /// The same for a page of the points of a cluster; all pages of one cluster come from one thread, in their order.
    func write(_ bytes: UnsafeRawBufferPointer, for entry: LeafList.Entry) throws
}
