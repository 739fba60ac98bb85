/// The markers that some files give a region: those of tiles, and the records of bundles.
struct MarkerChunk: SpoolChunk {
    var tiles: MarkerGroups
    var bundles = PendingGroups()

    init(zoom: Int) { tiles = MarkerGroups(zoom: zoom) }

    var byteCount: Int { tiles.byteCount + bundles.byteCount }

    func write(to writer: inout ChunkWriter) {
        tiles.write(to: &writer)
        bundles.write(to: &writer)
    }

    init(from reader: inout ChunkReader) {
        tiles = MarkerGroups(from: &reader)
        bundles = PendingGroups(from: &reader)
    }
}

extension MarkerGroups: SpoolChunk {
    var byteCount: Int { markers.reduce(0) { $0 + $1.byteCount } }

    func write(to writer: inout ChunkWriter) {
        writer.append(zoom)
        writer.append(keys.count)
        for (key, markers) in zip(keys, markers) {
            key.write(to: &writer)
            markers.write(to: &writer)
        }
    }

    init(from reader: inout ChunkReader) {
        self.init(zoom: reader.number())
        for _ in 0..<reader.number() {
            let key = Key(from: &reader)
            append(ZoomMarkers(zoom: zoom, idMask: key.idMask, from: &reader), to: key)
        }
    }
}

extension PendingGroups: SpoolChunk {
    var byteCount: Int { groups.values.reduce(0) { $0 + $1.byteCount } }

    func write(to writer: inout ChunkWriter) {
        writer.append(groups.count)
        for (key, markers) in groups {
            key.write(to: &writer)
            markers.write(to: &writer)
        }
    }

    init(from reader: inout ChunkReader) {
        self.init()
        for _ in 0..<reader.number() {
            let key = MarkerGroups.Key(from: &reader)
            groups[key] = PendingMarkers(from: &reader)
        }
    }
}

extension MarkerGroups.Key {
    fileprivate func write(to writer: inout ChunkWriter) {
        writer.append(group)
        writer.append(isUnclustered ? 1 : 0)
    }

    fileprivate init(from reader: inout ChunkReader) {
        self.init(group: reader.elements(), isUnclustered: reader.number() == 1)
    }
}
