#if os(macOS) || os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import PyramidPublishing

    /// The real program has a test of its own, Tests/publish/publish.py.
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
            _ destination: S3Destination, progress: (Int) throws -> Void
        ) throws {
            let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")
            try destination.upload(
                ["tiles/0/0/0.json", "tiles/1/0/0.json"], headers, content: { _ in [] }, progress: progress)
        }

        @Test func `files are reported while the program still runs`() throws {
            let destination = try destination(
                """
                echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'
                echo 'something else' >&2
                i=0; until [ -e '\(folder.path)/seen' ] || [ $i = 600 ]; do sleep 0.1; i=$((i + 1)); done
                [ -e '\(folder.path)/seen' ] || exit 1
                printf 'in the words of any version: tiles/1/0/0.json'
                """)
            var counts: [Int] = []
            try upload(destination) { count in
                counts.append(count)
                try folder.file("seen", "")
            }
            #expect(counts == [1, 2])
        }

        @Test func `the program is given the bytes of each file under its name`() throws {
            let destination = try destination("cp -r \"$3\" '\(folder.path)/sent'; echo \"$4\" >'\(folder.path)/place'")
            let paths = ["tiles/0/0/0.json", "tiles/1/0/0.json"]
            try destination.upload(paths, headers, content: { [UInt8($0), 7] }, progress: { _ in })
            let sent = try fileTree(at: folder.path("sent")).mapValues { [UInt8]($0) }
            #expect(sent == ["tiles/0/0/0.json": [0, 7], "tiles/1/0/0.json": [1, 7]])
            #expect(try String(contentsOfFile: folder.path("place"), encoding: .utf8) == "s3://bucket/a to b/\n")
        }

        /// A bucket in a folder, whose entity tags follow from the content. It fails in words that nobody knows.
        private func bucket(_ first: String = "") throws -> S3Destination {
            try destination(
                """
                for last; do :; done
                if [ "$1" = s3 ]; then
                    for body in "$3"/*; do cp "$body" '\(folder.path)/bucket-'"${body##*/}"; done
                    exit
                fi
                while [ $# -gt 0 ]; do
                    case "$1" in
                    get-object | put-object | list-objects-v2) operation=$1 ;;
                    --prefix) prefix=$2 ;;
                    --body) body=$2 ;;
                    --if-match) tag=$2 ;;
                    --if-none-match) tag=none ;;
                    esac
                    [ "$1" != --key ] || file='\(folder.path)/bucket-'"${2##*/}"
                    shift
                done
                \(first)
                case $operation in
                list-objects-v2)
                    file='\(folder.path)/bucket-'"${prefix##*/}"
                    if [ -e "$file" ]; then printf '%s\t%s\n' "$prefix" $(wc -c <"$file"); else echo None; fi
                    exit ;;
                get-object) cp "$file" "$last" 2>&- || { echo 'nope' >&2; exit 254; } ;;
                *)
                    found=none
                    if [ -e "$file" ]; then found=$(cksum <"$file"); fi
                    if [ "${tag-$found}" != "$found" ]; then echo 'nope' >&2; exit 254; fi
                    cp "$body" "$file" ;;
                esac
                echo '{"ETag": "'$(cksum <"$file")'"}'
                """)
        }

        private let headers = PublishingHeaders(contentType: "text/plain", cacheControl: "no-store")

        @Test func `a file is written only if it is as expected`() throws {
            let destination = try bucket()
            #expect(try destination.content(of: "x") == nil)
            #expect(try destination.replace(nil, with: [1], as: "x", headers))
            #expect(try !destination.replace(nil, with: [2], as: "x", headers))
            #expect(try !destination.replace([2], with: [3], as: "x", headers))
            #expect(try destination.content(of: "x") == [1])
            #expect(try destination.replace([1], with: [2], as: "x", headers))
            #expect(try destination.content(of: "x") == [2])
            // The answer to the request was lost.
            #expect(try destination.replace([1], with: [2], as: "x", headers))
        }

        @Test func `a file that appears between look and write stays`() throws {
            let racing = try bucket(
                "if [ $operation = put-object ]; then printf other >'\(folder.path)/bucket-x'; fi")
            #expect(try !racing.replace(nil, with: [1], as: "x", headers))
            #expect(try racing.content(of: "x") == Array("other".utf8))
        }

        @Test(arguments: ["if [ -n \"$tag\" ]; then echo 'what?' >&2; exit 252; fi", "unset tag"])
        func `where there are no conditions, a file is written without`(host: String) throws {
            let destination = try bucket(host)
            #expect(try destination.replace(nil, with: [1], as: "x", headers))
            #expect(try !destination.replace([2], with: [3], as: "x", headers))
            #expect(try destination.replace([1], with: [2], as: "x", headers))
            #expect(try destination.content(of: "x") == [2])
        }

        @Test func `a file that is there and can't be read is an error`() throws {
            try folder.file("bucket-x", "mine")
            let destination = try bucket("if [ $operation = get-object ]; then echo 'no right' >&2; exit 254; fi")
            #expect(try destination.content(of: "y") == nil)
            let error = #expect(throws: PublishingError.self) { try destination.content(of: "x") }
            #expect(error?.kind == .failed && error?.description == "s3://bucket/a to b/x: aws says: no right")
        }

        @Test func `an answer that isn't JSON is an error`() throws {
            try folder.file("bucket-x", "mine")
            let destination = try destination("echo 'ETag abc'; for last; do :; done; : >\"$last\"")
            let error = #expect(throws: PublishingError.self) { try destination.content(of: "x") }
            #expect(error?.description == "s3://bucket/a to b/: aws says: ETag abc\n, expected JSON")
        }

        @Test func `a failure is told in the program's last words`() throws {
            let destination = try destination(
                "echo 'upload: x to s3://bucket/a to b/tiles/0/0/0.json'; echo 'no room' >&2; exit 7")
            var counts: [Int] = []
            let error = #expect(throws: PublishingError.self) { try upload(destination) { counts.append($0) } }
            #expect(error?.kind == .failed && error?.description == "s3://bucket/a to b/: aws says: no room")
            #expect(counts == [1])
        }

        @Test(arguments: [19, 20])
        func `a host that takes no file any more is given up`(count: Int) throws {
            let destination = try destination(
                """
                for i in $(seq \(count)); do echo "upload failed: x to s3://bucket/a to b/$i: ?sig=123 no route" >&2; done
                [ \(count) = 19 ] && exit 1; exec sleep 600
                """)
            let error = #expect(throws: PublishingError.self) { try upload(destination) { _ in } }
            #expect(
                error?.description
                    == "s3://bucket/a to b/: \(count == 20 ? "20 uploads in a row failed, " : "")aws says: "
                    + "upload failed: x to s3://bucket/a to b/\(count): ?sig=*** no route")
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
