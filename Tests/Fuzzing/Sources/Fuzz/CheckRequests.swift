import Foundation
@testable import PyramidBuild
@testable import PyramidParts
@testable import PyramidTiles

@testable import PyramidServer
@testable import PyramidStore

/// What a client sends is cut into the same heads however it arrives, and every head gets an answer that HTTP allows, from a
/// directory's files and from an archive.
func checkRequests(_ bytes: UnsafeRawBufferPointer) {
    let bytes = [UInt8](bytes)
    let whole = heads(bytes, pieceBytes: bytes.count + 1)
    for pieceBytes in [1, 2, 7] {
        require(heads(bytes, pieceBytes: pieceBytes) == whole, "pieces of \(pieceBytes) bytes are other heads")
    }
    for head in whole.heads { check(head) }
}

private let limitBytes = 200

/// The heads, and whether there is one that is too large. An unfinished head at the end is none.
private func heads(_ bytes: [UInt8], pieceBytes: Int) -> (heads: [[UInt8]], isTooLarge: Bool) {
    var received = ReceivedHeads(limitBytes: limitBytes)
    var heads: [[UInt8]] = []
    do throws(ResponseStatus) {
        for start in stride(from: 0, to: bytes.count, by: pieceBytes) {
            received.append(bytes[start..<min(start + pieceBytes, bytes.count)])
            while let head = try received.next() { heads.append(head) }
        }
    } catch {
        require(error == .headTooLarge, "a head of the status \(error)")
        return (heads, true)
    }
    return (heads, false)
}

private func check(_ bytes: [UInt8]) {
    guard let head = try? RequestHead(bytes) else { return }
    // A last value that is empty leaves a blank behind, which the first time takes away.
    let again = head.with([:])
    require(again.with([:]) == again, "a head comes back as another")
    require(
        again.method == head.method && again.path == head.path && again.fields.keys == head.fields.keys,
        "a head comes back as another")
    for responder in responders { check(head, responder) }
    checkRange(head.fields["range"])
}

private func check(_ head: RequestHead, _ responder: PyramidResponder) {
    let response = responder.response(to: head)
    require(response.status != .failed, "a sound tileset can't be served: \(head)")
    let text = String(decoding: response.head(keepsAlive: head.keepsAlive, now: 0), as: UTF8.self)
    let lines = text.components(separatedBy: "\r\n")
    require(lines.count == response.fields.count + (response.mayHaveBody ? 6 : 5), "a field of several lines: \(text)")
    require(lines.allSatisfy { $0.utf8.allSatisfy { 0x20..<0x7f ~= $0 } }, "a head that is no plain text: \(text)")

    let encoding = response.fields.first { $0.name == "Content-Encoding" }?.value
    require(encoding == nil || head.fields["accept-encoding"] != nil, "gzip that nobody wants")
    if case .bytes(let bytes) = response.body {
        require(bytes.starts(with: Gzip.magic) == (encoding == "gzip"), "the coding is another than it says")
    }
    if case .file(let file, let range) = response.body {
        require(0 <= range.lowerBound && range.upperBound <= file.byteCount, "a range outside the file")
        if response.status == .partialContent {
            let field = response.fields.first { $0.name == "Content-Range" }?.value
            let last = range.upperBound - 1
            require(field == "bytes \(range.lowerBound)-\(last)/\(file.byteCount)", "another range than it says")
        }
    }
    guard response.status == .ok, head.method == "GET" else { return }
    require(responder.response(to: head.with(method: "HEAD", [:])).head == response.head, "HEAD answers otherwise")
    guard let tag = response.fields.first(where: { $0.name == "ETag" })?.value else { return }
    let revalidated = responder.response(to: head.with(["if-none-match": "\"other\", W/\(tag)"]))
    require(revalidated.status == .notModified, "what the client has is sent again: \(head)")
    let changed = responder.response(to: head.with(["if-none-match": "\"other\""]))
    require(changed.head == response.head, "what the client doesn't have is not sent")
}

extension Response {
    /// Without its date.
    fileprivate var head: [UInt8] { head(keepsAlive: true, now: 0) }
}

extension RequestHead {
    /// The same request with other fields.
    fileprivate func with(method: String? = nil, _ others: [String: String]) -> RequestHead {
        let fields = fields.merging(others) { $1 }.map { "\r\n\($0.key):\t\($0.value)" }.joined()
        do throws(ResponseStatus) {
            return try RequestHead(Array("\(method ?? self.method) \(path) HTTP/1.1\(fields)".utf8))
        } catch {
            fatalError("a head can't be read again: \(error) \(self)")
        }
    }
}

/// Parts of files of other sizes, against what the RFC says in words.
private func checkRange(_ field: String?) {
    let tag = EntityTag([1], isGzip: false)
    for byteCount in [0, 1, 100, Int.max] {
        let range = ByteRange(field, condition: nil, tag: tag, byteCount: byteCount)
        require(
            ByteRange(field, condition: "\"other\"", tag: tag, byteCount: byteCount) == .whole,
            "a part of a file that has changed")
        require(
            ByteRange(field, condition: tag.text, tag: tag, byteCount: byteCount) == range,
            "no part of a file that hasn't changed")
        guard case .part(let part) = range, let field else { continue }
        require(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= byteCount, "a part outside the file")
        let digits = field.split(whereSeparator: { !$0.isNumber }).map { Int($0) ?? .max }
        let isSuffix = field.contains(/=[ \t]*-/)
        let first = isSuffix ? byteCount - min(digits[0], byteCount) : digits[0]
        let last = isSuffix || digits.count < 2 ? byteCount - 1 : min(digits[1], byteCount - 1)
        require(part == first..<last + 1, "\(part) for \(field) of \(byteCount)")
    }
}

private let folder = NSTemporaryDirectory() + "pyramid-fuzz-served-\(getpid())"

/// Of a few points, in a directory with bundles and in an archive.
private let responders: [PyramidResponder] = {
    atexit { try? FileManager.default.removeItem(atPath: folder) }
    do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let rows = (0..<20).map { "\($0),\(10 + $0 * $0 % 7),\(50 - $0 % 5)" }
        let input = folder + "/points.csv"
        try Data((["name,lon,lat"] + rows).joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: input))
        var options = BuildOptions(
            inputPaths: [input], outputPath: folder + "/map.pmtiles", clustering: ClusteringOptions(maxZoom: 3), jobs: 1
        )
        options.syncs = false
        _ = try PyramidBuilder(options: options).build()
        let archive = try ArchiveTileset(path: options.outputPath)
        options.outputPath = folder + "/map"
        options.storage = TileStorage(layout: .bundles(limit: 12))
        _ = try PyramidBuilder(options: options).build()
        let directory = DirectoryTileset(path: options.outputPath)
        return [
            PyramidResponder(tileset: directory, missingTile: .noContent, leaflet: nil, basemap: nil),
            PyramidResponder(tileset: archive, missingTile: .empty, leaflet: nil, basemap: nil),
        ]
    } catch {
        fatalError("nothing to serve: \(error)")
    }
}()
