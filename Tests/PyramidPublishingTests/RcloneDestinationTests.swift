#if os(macOS) || os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PyramidPublishing

    /// The real program has a test of its own, Tests/publish/publish.py.
    @Suite(.tags(.slow)) struct RcloneDestinationTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// A program under the name of rclone, which keeps files in the folder `far`.
        private func destination(_ script: String) throws -> RcloneDestination {
            try FileManager.default.createDirectory(atPath: folder.path("far"), withIntermediateDirectories: true)
            try folder.program("rclone", "cd '\(folder.path)/far'\n\(script)")
            return try RcloneDestination(
                remote: ":s3,secret_access_key=ABCDEFGH:bucket/a b/",
                environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        }

        private let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")

        @Test func `a file comes back as it was put, and one that isn't there is none`() throws {
            let destination = try destination(
                """
                case $1 in
                copy) echo "$@" > ../put; cp "$2"/* . ;;
                cat) name=$(cat "$5"); [ -e "$name" ] || exit ${MISSING:-0}
                    if [ "$6" = --count ]; then head -c "$7" "$name"; else cat "$name"; fi ;;
                lsf) for last; do :; done; name=$(cat "$last"); echo $(wc -c < "$name")/$name ;;
                delete) rm $(cat "$4") ;;
                esac
                """)
            #expect(try destination.content(of: "manifest.json") == nil)
            #expect(try destination.start(of: "manifest.json", byteCount: 3) == nil)
            try destination.put(Array("content".utf8), as: "manifest.json", headers)
            #expect(try destination.content(of: "manifest.json") == Array("content".utf8))
            let start = try destination.start(of: "manifest.json", byteCount: 3)
            #expect(start?.bytes == Array("con".utf8) && start?.fileByteCount == 7)
            let put = try String(contentsOfFile: folder.path("put"), encoding: .utf8)
            #expect(put.contains(":bucket/a b --no-traverse"))
            #expect(put.contains("--header-upload Cache-Control: no-store"))
            try destination.remove(["manifest.json"])
            #expect(try destination.content(of: "manifest.json") == nil)
        }

        @Test func `files are listed with their sizes, and a folder that isn't there has none`() throws {
            let found = try destination("[ $1 = lsf ] && printf '7/tiles/0/0/0.json\\n12/a b.json\\n'")
            #expect(try found.sizes(in: "") == ["tiles/0/0/0.json": 7, "a b.json": 12])
            #expect(try found.sizes(in: "x/") == ["x/tiles/0/0/0.json": 7, "x/a b.json": 12])
            #expect(try destination("exit 3").sizes(in: "") == [:])
            let failing = try destination("exit 5")
            #expect(throws: PublishingError.self) { try failing.sizes(in: "") }
        }

        @Test(arguments: [3, 4, 5])
        func `only what rclone calls not found is not there`(exitCode: Int) throws {
            let destination = try destination("echo 'NOTICE: no secret_access_key=ABCDEFGH' >&2; exit \(exitCode)")
            guard exitCode == 5 else {
                #expect(try destination.content(of: "manifest.json") == nil)
                return
            }
            let error = #expect(throws: PublishingError.self) { try destination.content(of: "manifest.json") }
            #expect(error?.kind == .failed)
            #expect(error?.description.contains("manifest.json: rclone says: NOTICE: no") == true)
            #expect(error?.description.contains("ABCDEFGH") == false)
            #expect(throws: PublishingError.self) { try destination.put([1], as: "a", headers) }
            #expect(throws: PublishingError.self) { try destination.remove(["a"]) }
        }

        @Test func `files are reported as they are copied, and a failure is told after them`() throws {
            let destination = try destination(
                """
                echo '2026/11/22 03:04:05 INFO  : tiles/0/0/0.json: Copied (new)' >&2
                echo '2026/11/22 03:04:05 INFO  : tiles/9/9/9.json: Something else' >&2
                echo '2026/11/22 03:04:05 INFO  : tiles/1/0/0.json: Copied (replaced existing)' >&2
                echo 'no room' >&2; exit 7
                """)
            var counts: [Int] = []
            let error = #expect(throws: PublishingError.self) {
                try destination.upload(["tiles/0/0/0.json", "tiles/1/0/0.json"], headers, content: { _ in [] }) {
                    counts.append($0)
                }
            }
            #expect(counts == [1, 2])
            #expect(error?.kind == .failed && error?.description.hasSuffix("rclone says: no room") == true)
        }
    }
#endif
