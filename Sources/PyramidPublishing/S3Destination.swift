#if os(macOS) || os(Linux)
    import PyramidPlatform
    import Synchronization

    /// A bucket on S3, or on a host with its API, through the installed `aws` program with its own configuration and
    /// credentials.
    public final class S3Destination: PublishingDestination {
        private let bucket: String
        /// Ends with a slash unless it is empty.
        private let prefix: String
        private let endpoint: [String]
        private let tool: InstalledTool
        private let known = Mutex(Known())

        private struct Known {
            /// The entity tags of files when last read or written; `nil` for a file that didn't exist.
            var tags: [String: String?] = [:]
            var hasConditions = true
            /// Whether the host has refused a write because of its condition.
            var refuses = false
        }

        /// The most bytes that one request can write.
        private static let putLimitBytes = 5 << 30
        /// The number of keys that one request can remove.
        private static let removalLimit = 1000
        /// The number of failures in a row after which the upload is given up. `aws` would try every other file several
        /// times.
        private static let failureLimit = 20

        /// - Parameters:
        ///   - url: "s3://bucket" or "s3://bucket/prefix".
        ///   - endpointURL: the endpoint of a host other than AWS, such as R2 or MinIO.
        public convenience init(url: String, endpointURL: String? = nil) throws {
            try self.init(url: url, endpointURL: endpointURL, environment: [:])
        }

        /// - Parameter environment: added to the environment of this process, for aws.
        init(url: String, endpointURL: String?, environment: [String: String]) throws {
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

        public func content(of name: String) throws -> [UInt8]? {
            let found = try content(of: name, ["--query", "ETag", "--output", "text"])
            known.withLock { $0.tags[name] = .some(found?.said) }
            return found?.bytes
        }

        public func start(of name: String, byteCount: Int) throws -> FileStart? {
            let range = ["--range", "bytes=0-\(max(byteCount, 1) - 1)", "--query", "ContentRange", "--output", "text"]
            guard let (bytes, said) = try content(of: name, range) else { return nil }
            // "bytes 0-126/4096"; hosts without ranges send the whole file.
            let size = said.split(separator: "/").last.flatMap { Int($0) }
            return FileStart(bytes: Array(bytes.prefix(byteCount)), fileByteCount: size ?? bytes.count)
        }

        /// - Parameter options: of the request.
        /// - Returns: the bytes, and the standard output of `aws`.
        private func content(of name: String, _ options: [String]) throws -> (bytes: [UInt8], said: String)? {
            let scratch = try ScratchDirectory()
            let arguments = ["s3api", "get-object", "--bucket", bucket, "--key", prefix + name] + options
            let outcome = try tool.run(endpoint + arguments + [scratch.path("content")], in: scratch)
            if outcome.exitCode == 0 {
                let said = String(decoding: outcome.standardOutput, as: UTF8.self)
                return (
                    Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("content")))),
                    String(said.trimming(while: \.isWhitespace))
                )
            }
            if outcome.standardError.contains("(NoSuchKey)") { return nil }
            // An empty file has no ranges.
            if outcome.standardError.contains("(InvalidRange)") { return ([], "") }
            let hint =
                outcome.standardError.contains("(AccessDenied)")
                ? " (without the permission s3:ListBucket, missing files give this error, too)" : ""
            throw PublishingError(.failed, "\(self)\(name): aws says: \(outcome.complaint)\(hint)")
        }

        public func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            try tool.succeed(
                endpoint + ["s3", "cp", try scratch.file("content", bytes), "\(self)\(name)", "--only-show-errors"]
                    + S3Destination.options(headers), in: scratch, "\(self)\(name)")
        }

        /// False for hosts that refuse requests with conditions or ignore these, and for old versions of `aws`, which know
        /// none.
        public var hasConditions: Bool { known.withLock { $0.hasConditions } }

        public func putUnlessChanged(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws -> Bool {
            if known.withLock({ $0.tags[name] }) == nil { _ = try content(of: name) }
            let (tag, hasConditions) = known.withLock { ($0.tags[name] ?? nil, $0.hasConditions) }
            guard hasConditions, bytes.count <= S3Destination.putLimitBytes else {
                try put(bytes, as: name, headers)
                return true
            }
            let condition = tag.map { ["--if-match", $0] } ?? S3Destination.ifMissing
            let isPut = try put(bytes, as: name, headers, condition)
            // Some hosts ignore conditions. So one is tried that can't hold, because the file is there.
            if isPut, known.withLock({ $0.hasConditions && !$0.refuses }),
                try put(bytes, as: name, headers, S3Destination.ifMissing)
            {
                known.withLock { $0.hasConditions = false }
            }
            return isPut
        }

        private static let ifMissing = ["--if-none-match", "*"]

        /// - Parameter condition: options of the request.
        /// - Returns: false if the condition doesn't hold.
        private func put(
            _ bytes: [UInt8], as name: String, _ headers: PublishingHeaders, _ condition: [String]
        ) throws -> Bool {
            let scratch = try ScratchDirectory()
            let outcome = try tool.run(
                endpoint
                    + [
                        "s3api", "put-object", "--bucket", bucket, "--key", prefix + name, "--body",
                        try scratch.file("content", bytes), "--query", "ETag", "--output", "text",
                    ] + condition + S3Destination.options(headers), in: scratch)
            let error = outcome.standardError
            if outcome.exitCode == 0 {
                let said = String(decoding: outcome.standardOutput, as: UTF8.self)
                known.withLock { $0.tags[name] = String(said.trimming(while: \.isWhitespace)) }
                return true
            }
            // The file has another tag, was removed, or is being written at this moment.
            let changes = ["(PreconditionFailed)", "(NoSuchKey)", "(ConditionalRequestConflict)"]
            if changes.contains(where: error.contains) {
                known.withLock { $0.refuses = true }
                return false
            }
            if error.contains("(NotImplemented)") || error.contains("Unknown options: --if-") {
                known.withLock { $0.hasConditions = false }
                try put(bytes, as: name, headers)
                return true
            }
            throw PublishingError(.failed, "\(self)\(name): aws says: \(outcome.complaint)")
        }

        public func upload(
            _ paths: [String], from directory: String, _ headers: PublishingHeaders,
            whenThere: (String) throws -> Void
        ) throws {
            // A directory of links to these files, so that a single process uploads them all, several at a time.
            let scratch = try ScratchDirectory()
            let source = URL(fileURLWithPath: directory).standardizedFileURL.path
            var made: Set<Substring> = []
            for path in paths {
                let link = scratch.path("files/\(path)")
                let parent = link[..<(link.lastIndex(of: "/") ?? link.endIndex)]
                if made.insert(parent).inserted {
                    try FileManager.default.createDirectory(
                        atPath: String(parent), withIntermediateDirectories: true)
                }
                try FileManager.default.createSymbolicLink(
                    atPath: link, withDestinationPath: "\(source)/\(path)")
            }
            var failureCount = 0
            try withoutActuallyEscaping(whenThere) { whenThere in
                // "upload: /tmp/files/tiles/3/4/2.json to s3://bucket/prefix/tiles/3/4/2.json", "upload failed: /tmp/..."
                let reporting = InstalledTool.Reporting(output: .both) { [tool] line in
                    guard line.hasPrefix("upload: "), let place = line.ranges(of: " to \(self)").last
                    else {
                        if line.hasPrefix("upload failed: ") { failureCount += 1 }
                        guard failureCount < S3Destination.failureLimit else {
                            let said = tool.withoutSecrets(line)
                            throw PublishingError(
                                .failed, "\(self): \(failureCount) uploads in a row failed, aws says: \(said)")
                        }
                        return true
                    }
                    failureCount = 0
                    try whenThere(String(line[place.upperBound...]))
                    return false
                }
                try tool.succeed(
                    endpoint
                        + [
                            "s3", "cp", scratch.path("files"), description, "--recursive", "--follow-symlinks",
                            "--no-progress",
                        ] + S3Destination.options(headers), in: scratch, description, reporting)
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
            for start in stride(from: 0, to: paths.count, by: S3Destination.removalLimit) {
                let keys = paths[start..<min(start + S3Destination.removalLimit, paths.count)]
                let scratch = try ScratchDirectory()
                let batch = try JSONEncoder().encode(Batch(Objects: keys.map { .init(Key: prefix + $0) }))
                let file = try scratch.file("batch.json", Array(batch))
                let outcome = try tool.succeed(
                    endpoint + ["s3api", "delete-objects", "--bucket", bucket, "--delete", "file://\(file)"]
                        + ["--query", "Errors", "--output", "json"], in: scratch, description)
                // Individual keys can fail although the request succeeds.
                let errors = String(
                    String(decoding: outcome.standardOutput, as: UTF8.self).trimming(while: \.isWhitespace))
                guard ["", "null", "[]"].contains(errors) else {
                    let said = tool.withoutSecrets(errors).prefix(300)
                    throw PublishingError(.failed, "\(self): can't remove files: \(said)")
                }
            }
        }

        private static func options(_ headers: PublishingHeaders) -> [String] {
            ["--content-type", headers.contentType, "--cache-control", headers.cacheControl]
                + (headers.contentEncoding.map { ["--content-encoding", $0] } ?? [])
        }
    }
#endif
