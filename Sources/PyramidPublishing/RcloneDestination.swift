#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore

    /// A remote of an installed `rclone`, such as "gcs:bucket/prefix", with rclone's own configuration.
    ///
    /// Backends that store no headers (a disk, SFTP) ignore them.
    public final class RcloneDestination: ToolDestination {
        /// Without a trailing slash, unless it is the root. May hold secrets.
        private let remote: String
        let tool: InstalledTool
        /// - Parameters:
        ///   - remote: "remote:path", or a remote written out in full, ":s3,...:bucket/prefix".
        ///   - environment: added to the environment of this process, for rclone.
        public init(remote: String, environment: [String: String] = [:]) throws {
            var remote = remote
            while remote.hasSuffix("/") && !remote.hasSuffix(":/") { remote.removeLast() }
            self.remote = remote
            tool = try InstalledTool(
                "rclone", purpose: "the destination \(remote.hidingCredentials())", environment: environment)
        }

        public var description: String { folder.hidingCredentials() }

        private var folder: String { remote.hasSuffix(":") || remote.hasSuffix("/") ? remote : "\(remote)/" }

        public func content(of name: String) throws -> [UInt8]? { try content(of: name, []) }

        public func start(of name: String, byteCount: Int) throws -> (bytes: [UInt8], fileByteCount: Int)? {
            guard let bytes = try content(of: name, ["--count", "\(byteCount)"]) else { return nil }
            let scratch = try ScratchDirectory()
            return try list(remote, lookup(name, in: scratch))[name].map { (bytes, $0) }
        }

        /// - Parameter options: of `rclone cat`.
        private func content(of name: String, _ options: [String]) throws -> [UInt8]? {
            let scratch = try ScratchDirectory()
            let outcome = try tool.run(["cat", remote] + lookup(name, in: scratch) + options)
            // "Directory not found" and "file not found". For a file that doesn't exist, rclone may also print nothing.
            if [3, 4].contains(outcome.exitCode) { return nil }
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(self)\(name): rclone says: \(outcome.complaint)")
            }
            return outcome.standardOutput.isEmpty ? nil : outcome.standardOutput
        }

        /// Looks a file up by its name within the remote. If the remote were the path of one file, rclone would treat a
        /// file that it can't read as an empty folder.
        private func lookup(_ name: String, in scratch: ScratchDirectory) throws -> [String] {
            ["--no-traverse", "--files-from-raw", try scratch.file("list", Array("\(name)\n".utf8))]
        }

        /// - Parameter options: of `rclone lsf`.
        private func list(_ place: String, _ options: [String]) throws -> [String: Int] {
            let outcome = try tool.run(
                ["lsf", place, "--recursive", "--files-only", "--format", "sp", "--separator", "/"] + options)
            // "Directory not found".
            if outcome.exitCode == 3 { return [:] }
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(self): rclone says: \(outcome.complaint)")
            }
            let lines = String(decoding: outcome.standardOutput, as: UTF8.self).split(separator: "\n")
            let files = lines.map { $0.split(separator: "/", maxSplits: 1) }.filter { $0.count == 2 }
            return Dictionary(files.compactMap { file in Int(file[0]).map { (String(file[1]), $0) } }) { $1 }
        }

        public func sizes(in folder: String) throws -> [String: Int] {
            let files = try list(folder.isEmpty ? remote : self.folder + folder, [])
            return Dictionary(uniqueKeysWithValues: files.map { (folder + $0, $1) })
        }

        func copy(_ folder: String, _ headers: PublishingHeaders, progress: (Int) throws -> Void) throws {
            let request = [
                "copy", folder, remote, "--no-traverse", "--no-check-dest", "--ignore-times", "--transfers", "16",
                "--verbose", "--stats", "0",
            ]
            var count = 0
            try withoutActuallyEscaping(progress) { progress in
                _ = try tool.succeed(request + RcloneDestination.options(headers), description) { line, _ in
                    // "2026/11/22 03:04:05 INFO  : tiles/3/4/2.json: Copied (new)"
                    let parts = line.split(separator: ": ", omittingEmptySubsequences: false)
                    guard parts.count == 3, parts[2].hasPrefix("Copied") else { return }
                    count += 1
                    try progress(count)
                }
            }
        }

        public func remove(_ paths: [String]) throws {
            let scratch = try ScratchDirectory()
            let list = try scratch.file("list", Array(paths.map { $0 + "\n" }.joined().utf8))
            try tool.succeed(["delete", remote, "--files-from-raw", list], description)
        }

        private static func options(_ headers: PublishingHeaders) -> [String] {
            ["Content-Type: \(headers.contentType)", "Cache-Control: \(headers.cacheControl)"]
                .flatMap { ["--header-upload", $0] }
                + (headers.contentEncoding.map { ["--header-upload", "Content-Encoding: \($0)"] } ?? [])
        }
    }
#endif
