#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore

    /// A bucket on S3, or on a host with its API, through the installed `aws` program with its own configuration and
    /// credentials.
    public final class S3Destination: PublishingDestination {
        private let bucket: String
        /// Ends with a slash unless it is empty.
        private let prefix: String
        private let endpoint: [String]
        private let tool: InstalledTool

        /// The number of keys that one request can remove.
        private static let removalLimit = 1000
        /// The number of files that one run of `aws` lists.
        private static let listCount = 50_000
        /// The number of failures in a row after which the upload is given up. `aws` would try every other file several
        /// times.
        private static let failureLimit = 20

        /// - Parameters:
        ///   - url: "s3://bucket" or "s3://bucket/prefix".
        ///   - endpointURL: the endpoint of a host other than AWS, such as R2 or MinIO.
        ///   - environment: added to the environment of this process, for aws.
        public init(url: String, endpointURL: String? = nil, environment: [String: String] = [:]) throws {
            let parts = url.dropFirst("s3://".count).split(separator: "/", omittingEmptySubsequences: false)
            guard url.hasPrefix("s3://"), let bucket = parts.first, !bucket.isEmpty, !bucket.hasPrefix("-") else {
                throw PublishingError(.unusable, "\(url): is not the URL of a bucket, expected s3://bucket/prefix")
            }
            self.bucket = String(bucket)
            prefix = parts.dropFirst().filter { !$0.isEmpty }.map { "\($0)/" }.joined()
            endpoint = endpointURL.map { ["--endpoint-url", $0] } ?? []
            var environment = environment.merging(["AWS_PAGER": ""]) { $1 }
            // Hosts other than AWS may reject the checksums that newer versions of aws add to every request.
            if endpointURL != nil {
                for name in ["AWS_REQUEST_CHECKSUM_CALCULATION", "AWS_RESPONSE_CHECKSUM_VALIDATION"] {
                    environment[name] = ProcessInfo.processInfo.environment[name] ?? "when_required"
                }
            }
            tool = try InstalledTool("aws", purpose: "s3:// destinations", environment: environment)
        }

        public var description: String { "s3://\(bucket)/\(prefix)" }

        public func stop() { tool.stop() }

        public func content(of name: String) throws -> [UInt8]? { try get(name)?.bytes }

        public func start(of name: String, byteCount: Int) throws -> FileStart? {
            let range = ["--range", "bytes=0-\(max(byteCount, 1) - 1)"]
            guard let (bytes, answer) = try get(name, range) else { return nil }
            // "bytes 0-126/4096"; hosts without ranges send the whole file.
            let size = answer.ContentRange?.split(separator: "/").last.flatMap { Int($0) }
            return FileStart(bytes: Array(bytes.prefix(byteCount)), fileByteCount: size ?? bytes.count)
        }

        /// What `aws` reports of a file that it has read.
        private struct Answer: Decodable {
            var ETag, ContentRange: String?
        }

        /// - Parameter options: of the request.
        /// - Returns: `nil` if there is no such file.
        private func get(_ name: String, _ options: [String] = []) throws -> (bytes: [UInt8], answer: Answer)? {
            let scratch = try ScratchDirectory()
            let outcome = try tool.run(
                arguments("get-object", ["--key", prefix + name] + options + [scratch.path("content")]), in: scratch)
            guard outcome.exitCode == 0 else {
                // Hosts give many reasons for a file that is missing, so they are asked whether it is.
                guard let file = try list(prefix + name, count: 1).first, file.Key == prefix + name else { return nil }
                // An empty file has no ranges.
                guard file.Size > 0 else { return ([], Answer()) }
                throw PublishingError(.failed, "\(self)\(name): aws says: \(outcome.complaint)")
            }
            return (
                Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("content")))),
                try decode(outcome.standardOutput)
            )
        }

        /// A key of the bucket.
        private struct Object: Decodable {
            let Key: String
            let Size: Int
        }

        /// The first keys that begin with a text, in order.
        /// - Parameter last: the key after which to begin.
        private func list(_ start: String, after last: String? = nil, count: Int) throws -> [Object] {
            let options = last.map { ["--start-after", $0] } ?? []
            let request = ["--prefix", start, "--max-items", "\(count)", "--query", "Contents[].{Key:Key,Size:Size}"]
            let scratch = try ScratchDirectory()
            let outcome = try tool.succeed(
                arguments("list-objects-v2", request + options), in: scratch, description)
            return try decode(outcome.standardOutput) as [Object]? ?? []
        }

        public func sizes(in folder: String) throws -> [String: Int] {
            var sizes: [String: Int] = [:]
            var last: String?
            while true {
                let objects = try list(prefix + folder, after: last, count: S3Destination.listCount)
                for object in objects { sizes[String(object.Key.dropFirst(prefix.count))] = object.Size }
                last = objects.last?.Key
                if objects.count < S3Destination.listCount { return sizes }
            }
        }

        public func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            try put(scratch.file("content", bytes), as: name, headers, scratch)
        }

        private func put(
            _ path: String, as name: String, _ headers: PublishingHeaders, _ scratch: ScratchDirectory
        ) throws {
            try tool.succeed(
                endpoint + ["s3", "cp", path, "\(self)\(name)", "--only-show-errors"]
                    + S3Destination.options(headers), in: scratch, "\(self)\(name)")
        }

        /// Where the host or `aws` knows no conditions, two that do this at the same moment may both succeed.
        public func replace(
            _ old: [UInt8]?, with bytes: [UInt8], as name: String, _ headers: PublishingHeaders
        ) throws -> Bool {
            // The first attempt may meet one of another publish that isn't over yet.
            for _ in 0..<2 {
                var condition = ["--if-none-match", "*"]
                if let old {
                    guard let found = try get(name), found.bytes == old, let tag = found.answer.ETag else { break }
                    condition = ["--if-match", tag]
                }
                let scratch = try ScratchDirectory()
                let request = ["--key", prefix + name, "--body", try scratch.file("content", bytes)] + condition
                let outcome = try tool.run(
                    arguments("put-object", request + S3Destination.options(headers)), in: scratch)
                // Some hosts ignore conditions.
                if outcome.exitCode == 0 { return try old != nil || content(of: name) == bytes }
                // The answer to an earlier request may have been lost.
                let found = try content(of: name)
                guard found == old else { return found == bytes }
            }
            let found = try content(of: name)
            guard found == old else { return found == bytes }
            try put(bytes, as: name, headers)
            return try content(of: name) == bytes
        }

        private func arguments(_ operation: String, _ request: [String]) -> [String] {
            endpoint + ["s3api", operation, "--bucket", bucket, "--output", "json"] + request
        }

        private func decode<Value: Decodable>(_ output: [UInt8]) throws -> Value {
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(output)) else {
                let said = tool.withoutSecrets(String(decoding: output.prefix(300), as: UTF8.self))
                throw PublishingError(.failed, "\(self): aws says: \(said), expected JSON")
            }
            return value
        }

        public func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            try put(scratch.pinned(archive), as: archive.location.name, headers, scratch)
        }

        public func upload(
            _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
            progress: (Int) throws -> Void
        ) throws {
            // A single process uploads them all, several at a time.
            let scratch = try ScratchDirectory()
            let folder = try scratch.folder(of: paths, content)
            var (count, failureCount) = (0, 0)
            try withoutActuallyEscaping(progress) { progress in
                // `aws` prints a line for each file: to its standard output for one that is uploaded, else to its standard
                // error.
                _ = try tool.succeed(
                    endpoint
                        + [
                            "s3", "cp", folder, description, "--recursive", "--no-progress",
                        ] + S3Destination.options(headers), in: scratch, description
                ) { [tool] output, line in
                    switch output {
                    case .standardOutput:
                        (count, failureCount) = (count + 1, 0)
                        try progress(count)
                    case .standardError:
                        failureCount += 1
                        guard failureCount < S3Destination.failureLimit else {
                            let said = tool.withoutSecrets(line)
                            throw PublishingError(
                                .failed, "\(self): \(failureCount) uploads in a row failed, aws says: \(said)")
                        }
                    }
                }
            }
        }

        public func remove(_ paths: [String]) throws {
            struct Batch: Encodable {
                struct Object: Encodable {
                    let Key: String
                }
                let Objects: [Object]
                let Quiet = true
            }
            struct Answer: Decodable {
                struct Failure: Decodable {
                    let Key, Message: String?
                }
                let Errors: [Failure]?
            }
            for start in stride(from: 0, to: paths.count, by: S3Destination.removalLimit) {
                let keys = paths[start..<min(start + S3Destination.removalLimit, paths.count)]
                let scratch = try ScratchDirectory()
                let batch = try JSONEncoder().encode(Batch(Objects: keys.map { .init(Key: prefix + $0) }))
                let file = try scratch.file("batch.json", Array(batch))
                let outcome = try tool.succeed(
                    arguments("delete-objects", ["--delete", "file://\(file)"]), in: scratch, description)
                // Individual keys can fail although the request succeeds.
                guard !outcome.standardOutput.allSatisfy({ Character(UnicodeScalar($0)).isWhitespace }) else {
                    continue
                }
                let answer: Answer = try decode(outcome.standardOutput)
                if let failure = answer.Errors?.first {
                    let said = tool.withoutSecrets(failure.Message ?? "")
                    throw PublishingError(.failed, "s3://\(bucket)/\(failure.Key ?? ""): can't be removed: \(said)")
                }
            }
        }

        private static func options(_ headers: PublishingHeaders) -> [String] {
            ["--content-type", headers.contentType, "--cache-control", headers.cacheControl]
                + (headers.contentEncoding.map { ["--content-encoding", $0] } ?? [])
        }
    }
#endif
