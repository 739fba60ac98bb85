import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PyramidPublishing
@testable import PyramidStore
@testable import PyramidTiles

/// A destination in memory that can fail after some files, in the middle of a batch too.
final class MemoryDestination: PublishingDestination {
    struct File: Equatable {
        var bytes: [UInt8]
        var headers: PublishingHeaders
    }

    private struct State {
        var log: [String] = []
        var changesLeft = Int.max
        var failuresLeft = Int.max
        var isStopped = false
    }

    /// What several destinations may share.
    final class Place: Sendable {
        fileprivate let files = Mutex([String: File]())
    }

    let place: Place
    private let state = Mutex(State())
    private let beforeCall: @Sendable () -> Void

    init(at place: Place = Place(), beforeCall: @escaping @Sendable () -> Void = {}) {
        (self.place, self.beforeCall) = (place, beforeCall)
    }

    var description: String { "memory" }

    /// By path.
    var files: [String: File] {
        get { place.files.withLock { $0 } }
        set { place.files.withLock { $0 = newValue } }
    }

    /// "upload path" and "remove path" since the last time it was asked.
    func takeLog() -> [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    /// After these many changes of files, others fail.
    /// - Parameter times: how many; those that follow succeed.
    func fail(afterChanges count: Int, times: Int = .max) {
        state.withLock { ($0.changesLeft, $0.failuresLeft) = (count, times) }
    }

    func content(of name: String) throws -> [UInt8]? {
        beforeCall()
        return files[name]?.bytes
    }

    func start(of name: String, byteCount: Int) throws -> (bytes: [UInt8], fileByteCount: Int)? {
        try content(of: name).map { (Array($0.prefix(byteCount)), $0.count) }
    }

    func replace(
        _ old: [UInt8]?, with bytes: [UInt8], as name: String, _ headers: PublishingHeaders
    ) throws -> Bool {
        try change("upload \(name)") { files in
            guard files[name]?.bytes == old else { return false }
            files[name] = File(bytes: bytes, headers: headers)
            return true
        }
    }

    func sizes(in folder: String) throws -> [String: Int] {
        files.filter { $0.key.hasPrefix(folder) }.mapValues(\.bytes.count)
    }

    func upload(
        _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
        progress: (Int) throws -> Void
    ) throws {
        // Hosts are sent several files at once: their order is not that of the list.
        let order = paths.indices.sorted { paths[$0].reversed().lexicographicallyPrecedes(paths[$1].reversed()) }
        for (count, index) in order.enumerated() {
            let bytes = try content(index)
            try change("upload \(paths[index])") { $0[paths[index]] = File(bytes: bytes, headers: headers) }
            try progress(count + 1)
        }
    }

    func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
        let bytes = try archive.file.bytes(0..<archive.byteCount)
        try change("upload \(archive.location.name)") {
            $0[archive.location.name] = File(bytes: bytes, headers: headers)
        }
    }

    func remove(_ paths: [String]) throws {
        for path in paths { try change("remove \(path)") { $0[path] = nil } }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    private func change<Value: Sendable>(
        _ line: String, _ body: (inout sending [String: File]) -> sending Value
    ) throws -> Value {
        beforeCall()
        try state.withLock { state in
            defer { state.isStopped = false }
            if state.changesLeft <= 0 && state.failuresLeft > 0 || state.isStopped {
                state.failuresLeft -= 1
                throw PublishingError(.stopped, "memory: stopped")
            }
            state.changesLeft = max(state.changesLeft - 1, 0)
            state.log.append(line)
        }
        return place.files.withLock(body)
    }
}

/// Pyramids in directories of their own, which are removed with the value.
final class PyramidSeries {
    let pyramids: [DirectoryTileset]
    private let folder: TemporaryFolder

    /// Each of `fixtures` becomes a pyramid.
    init(_ fixtures: [PyramidFixture]) throws {
        folder = try TemporaryFolder()
        var pyramids: [DirectoryTileset] = []
        for (index, fixture) in fixtures.enumerated() {
            let path = folder.path("\(index)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try fixture.write(to: DirectoryTileset(path: path))
            pyramids.append(DirectoryTileset(path: path))
        }
        self.pyramids = pyramids
    }

    /// Pyramids of these many points, with seeds that give other points.
    convenience init(_ points: [(count: Int, seed: UInt64)], maxZoom: Int = 3) throws {
        try self.init(points.map { (count: $0.count, seed: $0.seed, bundleLimit: nil) }, maxZoom: maxZoom)
    }

    /// Pyramids of these many points, some in bundles.
    convenience init(_ pyramids: [(count: Int, seed: UInt64, bundleLimit: Int?)], maxZoom: Int = 3) throws {
        try self.init(
            pyramids.map { count, seed, bundleLimit in
                var fixture = PyramidFixture(
                    ClusteringOptions(maxZoom: maxZoom), points: .asymmetric(count: count, seed: seed))
                fixture.storage.layout = TilesetLayout(bundleLimit: bundleLimit)
                return fixture
            })
    }

    /// Every file of a pyramid by its path.
    static func files(of pyramid: DirectoryTileset) throws -> [String: [UInt8]] {
        try fileTree(at: pyramid.path).mapValues { [UInt8]($0) }
    }
}
