#if os(macOS) || os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PyramidPublishing

    /// The real program has a test of its own, Tests/publish.py.
    @Suite(.tags(.slow)) struct S3DestinationTests {
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// A program under the name of aws.
        private func destination(_ script: String, environment: [String: String] = [:]) throws -> S3Destination {
            try folder.program("aws", script)
            return try S3Destination(
                url: "s3://bucket/a to b", endpointURL: nil,
                environment: environment.merging(["PATH": "\(folder.path):/usr/bin:/bin"]) { $1 })
        }

        private func upload(
            _ destination: S3Destination, whenThere: (String) throws -> Void
        ) throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            try destination.upload(
                ["tiles/0/0/0.json", "tiles/1/0/0.json"], from: folder.path, headers, whenThere: whenThere)
        }

        @Test func `files are reported while the program still runs`() throws {
            let destination = try destination(
                """
                echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'
                echo 'something else'
                i=0; until [ -e '\(folder.path)/seen' ] || [ $i = 600 ]; do sleep 0.1; i=$((i + 1)); done
                [ -e '\(folder.path)/seen' ] || exit 1
                printf 'upload: x to s3://bucket/a to b/tiles/1/0/0.json'
                """)
            var paths: [String] = []
            try upload(destination) { path in
                paths.append(path)
                try folder.file("seen", "")
            }
            #expect(paths == ["tiles/0/0/0.json", "tiles/1/0/0.json"])
        }

        /// A bucket in a folder, whose entity tags follow from the content.
        private func bucket(_ first: String = "") throws -> S3Destination {
            try destination(
                """
                for last; do :; done
                while [ $# -gt 0 ]; do
                    case "$1" in
                    get-object | put-object) operation=$1 ;;
                    --key) file='\(folder.path)/bucket-'"${2##*/}" ;;
                    --body) body=$2 ;;
                    --if-match) tag=$2 ;;
                    --if-none-match) tag=none ;;
                    esac
                    shift
                done
                \(first)
                found=none
                if [ -e "$file" ]; then found=$(cksum <"$file"); fi
                if [ $operation = get-object ]; then
                    if [ "$found" = none ]; then echo '(NoSuchKey)' >&2; exit 254; fi
                    cp "$file" "$last"
                else
                    if [ "${tag-$found}" != "$found" ]; then echo '(PreconditionFailed)' >&2; exit 254; fi
                    cp "$body" "$file"
                fi
                cksum <"$file"
                """)
        }

        @Test func `a file is written only as long as nobody else has written it`() throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            let (ours, other) = (try bucket(), try bucket())
            #expect(try ours.content(of: "x") == nil)
            #expect(try other.putUnlessChanged([1], as: "x", headers))
            #expect(try !ours.putUnlessChanged([2], as: "x", headers))
            #expect(try ours.content(of: "x") == [1])
            #expect(try ours.putUnlessChanged([2], as: "x", headers))
            #expect(try ours.putUnlessChanged([3], as: "x", headers))
            #expect(try !other.putUnlessChanged([4], as: "x", headers))
            #expect(try other.content(of: "x") == [3])
            #expect(ours.hasConditions && other.hasConditions)
        }

        @Test(arguments: ["Unknown options: --if-none-match, *", "An error occurred (NotImplemented) when calling"])
        func `where there are no conditions, a file is written without`(error: String) throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            let destination = try bucket(
                "if [ -n \"$tag\" ]; then echo '\(error)' >&2; exit 252; fi; [ -n \"$operation\" ] || exec touch '\(folder.path)/put'"
            )
            #expect(destination.hasConditions)
            #expect(try destination.putUnlessChanged([1], as: "x", headers))
            #expect(!destination.hasConditions && FileManager.default.fileExists(atPath: folder.path("put")))
        }

        @Test(arguments: [false, true])
        func `a host that ignores conditions has none`(isThere: Bool) throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            if isThere { #expect(try bucket().putUnlessChanged([0], as: "x", headers)) }
            let destination = try bucket("unset tag")
            #expect(try destination.putUnlessChanged([1], as: "x", headers))
            #expect(try destination.content(of: "x") == [1])
            #expect(!destination.hasConditions)
        }

        @Test func `a failure is told in the program's last words`() throws {
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; echo 'no room' >&2; exit 7")
            var paths: [String] = []
            let error = #expect(throws: PublishingError.self) { try upload(destination) { paths.append($0) } }
            #expect(error?.kind == .failed && error?.description == "s3://bucket/a to b/: aws says: no room")
            #expect(paths == ["tiles/0/0/0.json"])
        }

        @Test func `a host that takes no file any more is given up`() throws {
            let destination = try destination(
                """
                fail() { for i in $(seq $1); do echo "upload failed: x to s3://bucket/a to b/$i: ?sig=123 no route" >&2; done; }
                fail 19; echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; fail 20; exec sleep 600
                """)
            var paths: [String] = []
            let error = #expect(throws: PublishingError.self) { try upload(destination) { paths.append($0) } }
            #expect(error?.kind == .failed && paths == ["tiles/0/0/0.json"])
            #expect(
                error?.description == "s3://bucket/a to b/: 20 uploads in a row failed, aws says: upload failed: "
                    + "x to s3://bucket/a to b/20: ?sig=*** no route")
        }

        @Test func `a failure is told although other files were uploaded after it`() throws {
            let destination = try destination(
                "echo '\tno room for ABCDEFGH' >&2; echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; exit 7",
                environment: ["SOME_TOKEN": "ABCDEFGH"])
            let error = #expect(throws: PublishingError.self) { try upload(destination) { _ in } }
            #expect(error?.description == "s3://bucket/a to b/: aws says: no room for ***")
        }

        @Test func `whoever can't go on after a report ends the program`() throws {
            struct Fault: Error {}
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; exec sleep 600")
            #expect(throws: Fault.self) { try upload(destination) { _ in throw Fault() } }
        }

        @Test func `a stop ends the program, and not those that come later`() throws {
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
