#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore

    /// A bucket on S3, or on a host with its API, through the installed `aws` program with its own configuration and
    /// credentials.
    public final class S3Destination: ToolDestination {
        private let bucket: String
        /// Ends with a slash unless it is empty.
        private let prefix: String
        private let endpoint: [String]
        let tool: InstalledTool

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

        public func content(of name: String) throws -> [UInt8]? { try get(name)?.bytes }

        public func start(of name: String, byteCount: Int) throws -> (bytes: [UInt8], fileByteCount: Int)? {
            let range = ["--range", "bytes=0-\(max(byteCount, 1) - 1)"]
            guard let (bytes, answer) = try get(name, range) else { return nil }
            // "bytes 0-126/4096"; hosts without ranges send the whole file.
            let size = answer.ContentRange?.split(separator: "/").last.flatMap { Int($0) }
            return (Array(bytes.prefix(byteCount)), size ?? bytes.count)
        }

        /// What `aws` reports of a file that it has read.
        private struct Answer: Decodable {
            var ETag, ContentRange: String?
        }

        /// - Parameter options: of the request.
        /// - Returns: `nil` if there is no such file.
        private func get(_ name: String, _ options: [String] = []) throws -> (bytes: [UInt8], answer: Answer)? {
            let scratch = try ScratchDirectory()
            let request = ["--key", prefix + name] + options + [scratch.path("content")]
            let outcome = try tool.run(arguments("get-object", request))
            guard outcome.exitCode == 0 else {
                // Hosts give many reasons for a file that is missing, so they are asked whether it is.
                guard let size = try sizes(in: name)[name] else { return nil }
                // An empty file has no ranges.
                guard size > 0 else { return ([], Answer()) }
                throw PublishingError(.failed, "\(self)\(name): aws says: \(outcome.complaint)")
            }
            let bytes = try Data(contentsOf: URL(fileURLWithPath: scratch.path("content")))
            return (Array(bytes), try decode(outcome.standardOutput))
        }

        public func sizes(in folder: String) throws -> [String: Int] {
            let query = ["--prefix", prefix + folder, "--output", "text", "--query", "Contents[].[Key,Size]"]
            var sizes: [String: Int] = [:]
            try tool.succeed(arguments("list-objects-v2", query), description) { line, isError in
                // The key, a tab and the size; "None" where there are no files.
                guard !isError, let tab = line.lastIndex(of: "\t"),
                    let size = Int(line[tab...].dropFirst())
                else { return }
                sizes[String(line[..<tab].dropFirst(self.prefix.count))] = size
            }
            return sizes
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
                let outcome = try tool.run(arguments("put-object", request + S3Destination.options(headers)))
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
            // The last one of an option counts.
            endpoint + ["s3api", operation, "--bucket", bucket, "--output", "json"] + request
        }

        private func decode<Value: Decodable>(_ output: [UInt8]) throws -> Value {
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(output)) else {
                let said = tool.withoutSecrets(String(decoding: output.prefix(300), as: UTF8.self))
                throw PublishingError(.failed, "\(self): aws says: \(said), expected JSON")
            }
            return value
        }

        func copy(_ folder: String, _ headers: PublishingHeaders, progress: (Int) throws -> Void) throws {
            let request = ["s3", "cp", folder, description, "--no-progress", "--recursive"]
            var (count, failureCount) = (0, 0)
            try withoutActuallyEscaping(progress) { progress in
                // `aws` prints a line for each file: to its standard output for one that is uploaded, else to its standard
                // error.
                _ = try tool.succeed(endpoint + request + S3Destination.options(headers), description) {
                    line, isError in
                    (count, failureCount) = isError ? (count, failureCount + 1) : (count + 1, 0)
                    if !isError { try progress(count) }
                    guard failureCount < S3Destination.failureLimit else {
                        let said = self.tool.withoutSecrets(line)
                        throw PublishingError(
                            .failed, "\(self): \(failureCount) uploads in a row failed, aws says: \(said)")
                    }
                }
            }
        }

        public func remove(_ paths: [String]) throws {
            struct Batch: Encodable {
                let Objects: [[String: String]]
                let Quiet = true
            }
            struct Answer: Decodable {
                let Errors: [[String: String]]?
            }
            let scratch = try ScratchDirectory()
            let batch = try JSONEncoder().encode(Batch(Objects: paths.map { ["Key": prefix + $0] }))
            let request = ["--delete", "file://" + (try scratch.file("batch.json", Array(batch)))]
            let output = try tool.succeed(arguments("delete-objects", request), description).standardOutput
            // Individual keys can fail although the request succeeds.
            guard output.contains(UInt8(ascii: "{")) else { return }
            if let failure = try (decode(output) as Answer).Errors?.first {
                let said = tool.withoutSecrets(failure["Message"] ?? "")
                throw PublishingError(.failed, "s3://\(bucket)/\(failure["Key"] ?? ""): can't be removed: \(said)")
            }
        }

        private static func options(_ headers: PublishingHeaders) -> [String] {
            ["--content-type", headers.contentType, "--cache-control", headers.cacheControl]
                + (headers.contentEncoding.map { ["--content-encoding", $0] } ?? [])
        }
    }
#endif
