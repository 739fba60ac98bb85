import PyramidTiles

/// The layer of the tile that is being encoded: its features, and its keys and values in order of first appearance.
///
/// It is reused from tile to tile. Table entries are stamped with the number of their tile, so that the tables need no
/// clearing.
struct MVTLayer: ~Copyable {
    private var tile = TileCoordinate(containing: WorldPoint(x: 0, y: 0), atZoom: 0)
    /// The number of the tile; never 0.
    private var stamp: UInt32 = 0

    private var features = ByteBuffer(capacity: 1 << 16)
    private var keys = ByteBuffer(capacity: 1024)
    private var keyCount = 0
    /// By the number of a name: the stamp of the tile that used it last, and the index of its key there.
    private var keyIndices: [(stamp: UInt32, index: UInt32)] = []

    private var values = ByteBuffer(capacity: 1 << 14)
    /// By value: its range in ``values``, without key and length, and its hash.
    private var entries: [Value] = []
    /// A hash table of the indices of values; only slots with the current stamp count.
    private var slots = [Slot](repeating: Slot(stamp: 0, index: 0), count: 1024)

    private struct Value {
        let start, count, hash: UInt32
    }

    private struct Slot {
        let stamp, index: UInt32
    }

    /// The version and the name of the layer.
    private let start: [UInt8]

    init(_ name: String) { start = MVT.layerStart(name) }

    mutating func begin(_ tile: TileCoordinate) {
        self.tile = tile
        if stamp == .max {
            keyIndices.removeAll()
            slots = [Slot](repeating: Slot(stamp: 0, index: 0), count: slots.count)
            stamp = 0
        }
        stamp += 1
        features.removeAll()
        keys.removeAll()
        keyCount = 0
        values.removeAll()
        entries.removeAll(keepingCapacity: true)
    }

    /// Appends a feature.
    /// - Parameters:
    ///   - record: ``MVTFeature/record``.
    ///   - parent: ``MVTFeature/parentProperty``.
    mutating func append(
        _ record: UnsafeRawBufferPointer, _ parent: UnsafeRawBufferPointer, _ names: borrowing MVTNames,
        at place: WorldPoint
    ) {
        let capacity = 2 * (record.count / MVTFeature.propertyHeaderBytes + 1)
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: capacity) { tags in
            let properties = UnsafeRawBufferPointer(rebasing: record[MVTFeature.headerBytes...])
            var count = readTags(properties, names, into: tags)
            count += readTags(parent, names, into: UnsafeMutableBufferPointer(rebasing: tags[count...]))
            append(record, tags: UnsafeBufferPointer(rebasing: tags[..<count]), at: place)
        }
    }

    /// Reads the indices of the keys and values of properties.
    private mutating func readTags(
        _ record: UnsafeRawBufferPointer, _ names: borrowing MVTNames, into tags: UnsafeMutableBufferPointer<UInt32>
    ) -> Int {
        var count = 0
        var position = 0
        while position < record.count {
            let name = record.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            let hash = record.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
            let byteCount = Int(record.loadUnaligned(fromByteOffset: position + 8, as: UInt32.self))
            let start = position + MVTFeature.propertyHeaderBytes
            position = start + byteCount
            tags[count] = keyIndex(ofName: Int(UInt32(littleEndian: name)), names)
            tags[count + 1] = valueIndex(
                UnsafeRawBufferPointer(rebasing: record[start..<position]), hash: UInt32(littleEndian: hash))
            count += 2
        }
        return count
    }

    private mutating func append(
        _ record: UnsafeRawBufferPointer, tags: UnsafeBufferPointer<UInt32>, at place: WorldPoint
    ) {
        let hasID = record[0] != 0
        let id = UInt64(littleEndian: record.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
        let tagBytes = tags.reduce(0) { $0 + MVTLayer.byteCount(ofVarint: UInt64($1)) }
        let x = MVTPlace.unit(of: place.x, atZoom: tile.z) << 1
        let y = MVTPlace.unit(of: place.y, atZoom: tile.z) << 1
        let geometryBytes = 1 + MVTLayer.byteCount(ofVarint: UInt64(x)) + MVTLayer.byteCount(ofVarint: UInt64(y))
        let featureBytes =
            (hasID ? 1 + MVTLayer.byteCount(ofVarint: id) : 0)
            + (tags.isEmpty ? 0 : 1 + MVTLayer.byteCount(ofVarint: UInt64(tagBytes)) + tagBytes) + 2 + 2 + geometryBytes

        features.append(MVT.key(2, .bytes))
        features.append(varint: UInt64(featureBytes))
        if hasID {
            features.append(MVT.key(1, .varint))
            features.append(varint: id)
        }
        if !tags.isEmpty {
            features.append(MVT.key(2, .bytes))
            features.append(varint: UInt64(tagBytes))
            for tag in tags { features.append(varint: UInt64(tag)) }
        }
        // The type: a point.
        features.append(MVT.key(3, .varint))
        features.append(1)
        // The geometry: a move to one place, in zigzag-encoded units.
        features.append(MVT.key(4, .bytes))
        features.append(UInt8(geometryBytes))
        features.append(1 << 3 | 1)
        features.append(varint: UInt64(x))
        features.append(varint: UInt64(y))
    }

    private mutating func keyIndex(ofName name: Int, _ names: borrowing MVTNames) -> UInt32 {
        while keyIndices.count <= name { keyIndices.append((0, 0)) }
        if keyIndices[name].stamp == stamp { return keyIndices[name].index }
        names.appendKey(name, to: &keys)
        keyIndices[name] = (stamp, UInt32(keyCount))
        keyCount += 1
        return UInt32(keyCount - 1)
    }

    private mutating func valueIndex(_ value: UnsafeRawBufferPointer, hash: UInt32) -> UInt32 {
        var slot = Int(hash) & (slots.count - 1)
        while slots[slot].stamp == stamp {
            let index = slots[slot].index
            let entry = entries[Int(index)]
            if entry.hash == hash, entry.count == value.count, isValue(entry, value) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        let index = UInt32(entries.count)
        values.append(MVT.key(4, .bytes))
        values.append(varint: UInt64(value.count))
        entries.append(Value(start: UInt32(values.count), count: UInt32(value.count), hash: hash))
        values.append(value)
        slots[slot] = Slot(stamp: stamp, index: index)
        if entries.count * 2 > slots.count { enlargeSlots() }
        return index
    }

    private func isValue(_ entry: Value, _ value: UnsafeRawBufferPointer) -> Bool {
        let range = Int(entry.start)..<Int(entry.start) + Int(entry.count)
        return values.withUnsafeBytes { UnsafeRawBufferPointer(rebasing: $0[range]).isSame(as: value) }
    }

    private mutating func enlargeSlots() {
        slots = [Slot](repeating: Slot(stamp: 0, index: 0), count: slots.count * 2)
        for (index, entry) in entries.enumerated() {
            var slot = Int(entry.hash) & (slots.count - 1)
            while slots[slot].stamp == stamp { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Slot(stamp: stamp, index: UInt32(index))
        }
    }

    /// Writes the tile.
    func write(to output: inout ByteBuffer, _ names: borrowing MVTNames) {
        let extentBytes = 1 + MVTLayer.byteCount(ofVarint: UInt64(MVT.extent))
        output.append(MVT.key(3, .bytes))
        output.append(
            varint: UInt64(start.count + features.count + keys.count + values.count + extentBytes))
        output.append(start)
        output.append(0..<features.count, of: features)
        output.append(0..<keys.count, of: keys)
        output.append(0..<values.count, of: values)
        output.append(MVT.key(5, .varint))
        output.append(varint: UInt64(MVT.extent))
    }

    @inline(__always)
    private static func byteCount(ofVarint value: UInt64) -> Int { (70 - (value | 1).leadingZeroBitCount) / 7 }
}
