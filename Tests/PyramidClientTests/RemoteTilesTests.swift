import Foundation
import PyramidBuild
import PyramidParts
import PyramidClient
import PyramidTiles
import TestSupport
import Testing

@testable import PyramidServer
@testable import PyramidStore

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.tags(.slow, .threads)) struct RemoteTilesTests {
    /// A pyramid of points around the antimeridian, served by `pyramid serve`'s server.
    private final class ServedPyramid {
        let folder: TemporaryFolder
        let directory: DirectoryTileset
        let url: URL
        private let task: Task<Void, any Error>

        init(missingTile: MissingTileAnswer, bundleLimit: Int? = nil, format: TileCodec = .geojson) async throws {
            let rows = (0..<400).map { index in
                let longitude = 165 + Double(index * 37 % 300) / 10
                return
                    "p\(index),\(longitude > 180 ? longitude - 360 : longitude),\(-40 + Double(index * 53 % 900) / 10)"
            }
            folder = try TemporaryFolder()
            let input = try folder.file("points.csv", (["name,lon,lat"] + rows).joined(separator: "\n"))
            var clustering = ClusteringOptions()
            (clustering.minZoom, clustering.maxZoom, clustering.clusterMaxZoom) = (1, 6, 5)
            let output = folder.path("out")
            var options = BuildOptions(inputPaths: [input], outputPath: output, clustering: clustering)
            options.storage = TileStorage(codec: format, layout: TilesetLayout(bundleLimit: bundleLimit))
            if format == .mvt { options.input.idColumn = "name" }
            _ = try PyramidBuilder(options: options).build()
            directory = DirectoryTileset(path: output)
            var server = PyramidServer(tileset: directory, port: 0, missingTile: missingTile)
            server.limits.patience = .seconds(3600)
            let (urls, announce) = AsyncStream.makeStream(of: String.self)
            task = Task { [server] in try await server.run { announce.yield($0) } }
            url = try #require(URL(string: await urls.first { _ in true } ?? ""))
        }

        deinit { task.cancel() }

        /// Where many tests run at once, the server may be slow.
        static var configuration: URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.timeoutIntervalForRequest = 600
            return configuration
        }

        static var session: URLSession { URLSession(configuration: configuration) }
    }

    @Test(arguments: MissingTileAnswer.allCases)
    func `markers over HTTP are those of the files`(missingTile: MissingTileAnswer) async throws {
        let pyramid = try await ServedPyramid(missingTile: missingTile)
        let remote = try await RemoteTiles(at: pyramid.url, session: ServedPyramid.session)
        #expect(try remote.tileJSON == pyramid.directory.tileJSON().withBaseURL(pyramid.url.absoluteString))
        let box = BoundingBox(west: 172_000_000, south: -30_000_000, east: -171_000_000, north: 25_000_000)
        for zoom in 1...6 {
            let expected = try pyramid.directory.visibleMarkers(in: box, zoom: zoom)
            #expect(!expected.isEmpty)
            #expect(try await remote.visibleMarkers(in: box, zoom: zoom) == expected)
        }
        #expect(try await remote.visibleMarkers(in: box, zoom: 9) == pyramid.directory.visibleMarkers(in: box, zoom: 6))
        #expect(try await remote.visibleMarkers(in: box, zoom: 0).isEmpty)
        let empty = try #require(TileCoordinate(z: 6, x: 30, y: 1))
        #expect(try await remote.tile(at: empty) == nil)
    }

    @Test func `MVT tiles are read like any others, with the ids that are properties`() async throws {
        let pyramid = try await ServedPyramid(missingTile: .notFound, format: .mvt)
        let remote = try await RemoteTiles(at: pyramid.url, session: ServedPyramid.session)
        let box = BoundingBox(west: 172_000_000, south: -30_000_000, east: -171_000_000, north: 25_000_000)
        for zoom in [1, 6] {
            let markers = try await remote.visibleMarkers(in: box, zoom: zoom)
            #expect(try !markers.isEmpty && markers == pyramid.directory.visibleMarkers(in: box, zoom: zoom))
            for case .point(let point) in markers {
                guard case .string(let id)? = point.id else {
                    Issue.record("a point without an id")
                    return
                }
                #expect(id.hasPrefix("p"))
            }
        }
    }

    @Test(arguments: [3, 30, 10_000])
    func `markers of bundles are those of the tiles`(limit: Int) async throws {
        let plain = try await ServedPyramid(missingTile: .notFound)
        let bundled = try await ServedPyramid(missingTile: .empty, bundleLimit: limit)
        let session = ServedPyramid.session
        let remote = try await RemoteTiles(at: bundled.url, session: session)
        let box = BoundingBox(west: 172_000_000, south: -30_000_000, east: -171_000_000, north: 25_000_000)
        for zoom in 1...7 {
            let expected = try plain.directory.visibleMarkers(in: box, zoom: min(zoom, 6))
            #expect(try await remote.visibleMarkers(in: box, zoom: zoom) == expected)
        }
        for entry in try plain.directory.tileEntries() {
            #expect(try await remote.tile(at: entry.address) == plain.directory.tile(at: entry.address))
            // Clients that know nothing of bundles ask for the tile itself.
            let path = plain.directory.storage.relativePath(of: .tile(entry.address))
            let (data, _) = try await session.data(from: bundled.url.appendingPathComponent(path))
            #expect(
                try GeoJSONTileDecoder.decode(Array(data), at: entry.address) == plain.directory.tile(at: entry.address)
            )
        }
        let empty = try #require(TileCoordinate(z: 6, x: 30, y: 1))
        #expect(try await remote.tile(at: empty) == nil)
    }

    @Test func `a bundle that is gone makes the TileJSON be read again, once`() async throws {
        let pyramid = try await ServedPyramid(missingTile: .notFound, bundleLimit: 20)
        let configuration = ServedPyramid.configuration
        configuration.urlCache = nil
        let remote = try await RemoteTiles(at: pyramid.url, session: URLSession(configuration: configuration))
        let world = BoundingBox(west: -180_000_000, south: -80_000_000, east: 179_999_999, north: 80_000_000)
        let before = try await remote.visibleMarkers(in: world, zoom: 5)

        var options = BuildOptions(
            inputPaths: [pyramid.folder.path("points.csv")], outputPath: pyramid.directory.path,
            clustering: ClusteringOptions(minZoom: 1, maxZoom: 6, clusterMaxZoom: 5))
        options.storage.layout = .bundles(limit: 200)
        _ = try PyramidBuilder(options: options).build()
        func order(_ markers: [Marker]) -> Set<Marker> { Set(markers) }
        #expect(try await order(remote.visibleMarkers(in: world, zoom: 5)) == order(before))
        try FileManager.default.removeItem(atPath: pyramid.directory.path + "/bundles")
        let left = try await remote.visibleMarkers(in: world, zoom: 5)
        #expect(left.count < before.count)
    }

    @Test func `a request that fails for the moment is repeated`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        let tile = try #require(TileCoordinate(z: 3, x: 7, y: 0))
        #expect(try await remote.tile(at: tile)?.markers.count == 1)
    }

    @Test func `a pyramid is found by its directory and by its TileJSON`() async throws {
        for path in ["", "/", "/tilejson.json"] {
            let remote = try await RemoteTiles(at: StubHost.url("plain" + path), session: StubHost.session)
            let tile = try #require(TileCoordinate(z: 3, x: 5, y: 2))
            #expect(remote.url(of: tile)?.absoluteString == StubHost.url("plain/tiles/3/5/2.json").absoluteString)
        }
        let elsewhere = try await RemoteTiles(at: StubHost.url("absolute"), session: StubHost.session)
        let tile = try #require(TileCoordinate(z: 3, x: 5, y: 2))
        #expect(elsewhere.url(of: tile)?.absoluteString == "https://cdn.example.org/a/3/5/2.json")
    }

    @Test func `gzip that the host does not declare is undone`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        let tile = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        let found = try await remote.tile(at: tile)
        #expect(
            found?.markers == [.point(Feature(id: 7, coordinate: Coordinate(longitude: 24.1059, latitude: 56.946)))])
    }

    @Test func `nothing, no content and no features are no tile`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        for x in 0...3 {
            let tile = try #require(TileCoordinate(z: 3, x: x, y: 0))
            #expect(try await remote.tile(at: tile) == nil)
        }
    }

    @Test(arguments: [(4, "the host answers 500"), (5, "is not a tile: "), (6, "can't be inflated: ")])
    func `what is wrong with a tile is said in one line`(x: Int, problem: String) async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        let tile = try #require(TileCoordinate(z: 3, x: x, y: 0))
        let error = await #expect(throws: RemoteTilesError.self) { try await remote.tile(at: tile) }
        #expect(error?.description.hasPrefix("\(StubHost.url("plain/tiles/3/\(x)/0.json")): \(problem)") == true)
    }

    @Test func `a file that is too large is given up while it is read`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        let tile = try #require(TileCoordinate(z: 3, x: 0, y: 1))
        let error = await #expect(throws: RemoteTilesError.self) { try await remote.tile(at: tile) }
        #expect(error?.problem == "is larger than the limit of 67108864 bytes")
        #expect(error?.url.path == StubHost.endlessPath)
        #expect(StubHost.sentPieceCount.load(ordering: .relaxed) < StubHost.endlessPieceCount)
    }

    @Test func `a few kilobytes that inflate to more than the limit are given up`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain"), session: StubHost.session)
        // Gzip that the host doesn't declare.
        let tile = try #require(TileCoordinate(z: 3, x: 1, y: 1))
        let error = await #expect(throws: RemoteTilesError.self) { try await remote.tile(at: tile) }
        #expect(
            error?.problem == "can't be inflated: content is longer than the limit of 67108864 bytes",
            "\(error?.problem ?? "")")
        // Gzip that the host declares, which the session inflates.
        let pyramid = try await ServedPyramid(missingTile: .notFound)
        let served = try await RemoteTiles(at: pyramid.url, session: ServedPyramid.session)
        let entry = try #require(try pyramid.directory.tileEntries().first)
        let bomb = [UInt8](repeating: 32, count: RemoteTiles.tileLimitBytes + 1).gzipped()
        try Data(bomb).write(to: URL(fileURLWithPath: pyramid.directory.path(of: entry.address)))
        let large = await #expect(throws: RemoteTilesError.self) { try await served.tile(at: entry.address) }
        #expect(large?.problem == "is larger than the limit of 67108864 bytes", "\(large?.problem ?? "")")
    }

    @Test func `a host without a pyramid is an error`() async throws {
        let error = await #expect(throws: RemoteTilesError.self) {
            try await RemoteTiles(at: StubHost.url("nothing"), session: StubHost.session)
        }
        #expect(error?.problem == "there is no TileJSON")
    }

    @Test func `a cancelled request ends, at whatever moment it is cancelled`() async throws {
        let remote = try await RemoteTiles(at: StubHost.url("plain/"), session: StubHost.session)
        let coordinate = try #require(TileCoordinate(z: 3, x: 4, y: 2))
        var cancelledCount = 0
        for moment in 0..<800 {
            let request = Task { try await remote.tile(at: coordinate) }
            for _ in 0..<moment % 40 { await Task.yield() }
            request.cancel()
            switch await request.result {
            case .success(let tile): #expect(tile?.markers.count == 1)
            case .failure(let error):
                #expect((error as? URLError)?.code == .cancelled || error is CancellationError, "\(error)")
                cancelledCount += 1
            }
        }
        #expect(cancelledCount > 0)
        #expect(try await remote.tile(at: coordinate)?.markers.count == 1)
    }
}
