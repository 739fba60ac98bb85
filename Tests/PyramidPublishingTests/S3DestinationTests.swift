#if os(macOS) || os(Linux)
    import Foundation
    import Testing

    @testable import PyramidPublishing

    /// The real program has a test of its own, Tests/publish.sh.
    struct S3DestinationTests {
        private let folder = NSTemporaryDirectory() + "pyramid-\(UUID().uuidString)"

        /// A program under the name of aws.
        private func destination(_ script: String) throws -> S3Destination {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let path = folder + "/aws"
            try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            return try S3Destination(
                url: "s3://bucket/a to b", endpointURL: nil, environment: ["PATH": "\(folder):/usr/bin:/bin"])
        }

        private func upload(
            _ destination: S3Destination, whenThere: (String) throws -> Void
        ) throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            try destination.upload(
                ["tiles/0/0/0.json", "tiles/1/0/0.json"], from: folder, headers, whenThere: whenThere)
        }

        @Test func `files are reported while the program still runs`() throws {
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let destination = try destination(
                """
                echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'
                echo 'something else'
                i=0; until [ -e '\(folder)/seen' ] || [ $i = 600 ]; do sleep 0.1; i=$((i + 1)); done
                [ -e '\(folder)/seen' ] || exit 1
                printf 'upload: x to s3://bucket/a to b/tiles/1/0/0.json'
                """)
            var paths: [String] = []
            try upload(destination) { path in
                paths.append(path)
                try Data().write(to: URL(fileURLWithPath: folder + "/seen"))
            }
            #expect(paths == ["tiles/0/0/0.json", "tiles/1/0/0.json"])
        }

        @Test func `a failure is told in the program's last words`() throws {
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; echo 'no room' >&2; exit 7")
            var paths: [String] = []
            let error = #expect(throws: PublishingError.self) { try upload(destination) { paths.append($0) } }
            #expect(error?.kind == .failed && error?.description == "s3://bucket/a to b/: aws says: no room")
            #expect(paths == ["tiles/0/0/0.json"])
        }

        @Test func `whoever can't go on after a report ends the program`() throws {
            defer { try? FileManager.default.removeItem(atPath: folder) }
            struct Fault: Error {}
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; exec sleep 600")
            #expect(throws: Fault.self) { try upload(destination) { _ in throw Fault() } }
        }

        @Test func `a stop ends the program, and not those that come later`() throws {
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; exec sleep 600")
            for _ in 0..<2 {
                // One that comes between two programs concerns the next one.
                destination.stop()
                #expect(throws: PublishingError.self) { try destination.content(of: "x") }
                let error = #expect(throws: PublishingError.self) {
                    try upload(destination) { _ in destination.stop() }
                }
                #expect(error?.kind == .stopped)
            }
        }
    }
#endif
