#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore

    /// A remote of an installed `rclone`, such as "gcs:bucket/prefix", with rclone's own configuration.
    ///
    /// Backends that store no headers (a disk, SFTP) ignore them.
    public final class RcloneDestination: PublishingDestination {
        /// Without a trailing slash, unless it is the root. May hold secrets.
        private let remote: String
        private let tool: InstalledTool
        /// Looks files up by name within the remote. If the remote were the path of one file, rclone would treat a file
        /// that it can't read as an empty folder.
        private static let lookup = ["--no-traverse", "--files-from-raw"]

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

        public func stop() { tool.stop() }

        public func content(of name: String) throws -> [UInt8]? { try content(of: name, []) }

        public func start(of name: String, byteCount: Int) throws -> FileStart? {
            guard let bytes = try content(of: name, ["--count", "\(byteCount)"]) else { return nil }
            struct Size: Decodable {
                let bytes: Int
            }
            let scratch = try ScratchDirectory()
            let list = try scratch.file("list", Array("\(name)\n".utf8))
            let outcome = try tool.succeed(
                ["size", "--json", remote] + RcloneDestination.lookup + [list], in: scratch, "\(self)\(name)")
            let size = try? JSONDecoder().decode(Size.self, from: Data(outcome.standardOutput))
            guard let size else {
                throw PublishingError(.failed, "\(self)\(name): rclone doesn't report its size")
            }
            return FileStart(bytes: bytes, fileByteCount: size.bytes)
        }

        /// - Parameter options: of `rclone cat`.
        private func content(of name: String, _ options: [String]) throws -> [UInt8]? {
            let scratch = try ScratchDirectory()
            let list = try scratch.file("list", Array("\(name)\n".utf8))
            let outcome = try tool.run(
                ["cat", remote] + RcloneDestination.lookup + [list] + options, in: scratch)
            // "Directory not found" and "file not found". For a file that doesn't exist, rclone may also print nothing.
            if [3, 4].contains(outcome.exitCode) { return nil }
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(self)\(name): rclone says: \(outcome.complaint)")
            }
            return outcome.standardOutput.isEmpty ? nil : outcome.standardOutput
        }

        public func put(_ bytes: [UInt8], as name: String, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            try put(scratch.file("content", bytes), as: name, headers, scratch)
        }

        private func put(
            _ path: String, as name: String, _ headers: PublishingHeaders, _ scratch: ScratchDirectory
        ) throws {
            try tool.succeed(
                ["copyto", path, folder + name, "--ignore-times", "--no-check-dest"]
                    + RcloneDestination.options(headers), in: scratch, "\(self)\(name)")
        }

        public func sizes(in folder: String) throws -> [String: Int] {
            struct File: Decodable {
                let Path: String
                let Size: Int
            }
            let scratch = try ScratchDirectory()
            let outcome = try tool.run(
                [
                    "lsjson", folder.isEmpty ? remote : self.folder + folder, "--recursive", "--files-only",
                    "--no-modtime", "--no-mimetype",
                ], in: scratch)
            // "Directory not found".
            if outcome.exitCode == 3 { return [:] }
            guard outcome.exitCode == 0 else {
                throw PublishingError(.failed, "\(self): rclone says: \(outcome.complaint)")
            }
            guard let files = try? JSONDecoder().decode([File].self, from: Data(outcome.standardOutput)) else {
                throw PublishingError(.failed, "\(self): rclone doesn't list the files there")
            }
            return Dictionary(files.map { (folder + $0.Path, $0.Size) }) { $1 }
        }

        public func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            try put(scratch.pinned(archive), as: archive.location.name, headers, scratch)
        }

        public func upload(
            _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
            progress: (Int) throws -> Void
        ) throws {
            let scratch = try ScratchDirectory()
            let folder = try scratch.folder(of: paths, content)
            var count = 0
            try withoutActuallyEscaping(progress) { progress in
                _ = try tool.succeed(
                    [
                        "copy", folder, remote, "--no-traverse", "--no-check-dest", "--ignore-times", "--transfers",
                        "16", "--verbose", "--stats", "0",
                    ] + RcloneDestination.options(headers), in: scratch, description
                ) { _, line in
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
            try tool.succeed(["delete", remote, "--files-from-raw", list], in: scratch, description)
        }

        private static func options(_ headers: PublishingHeaders) -> [String] {
            ["Content-Type: \(headers.contentType)", "Cache-Control: \(headers.cacheControl)"]
                .flatMap { ["--header-upload", $0] }
                + (headers.contentEncoding.map { ["--header-upload", "Content-Encoding: \($0)"] } ?? [])
        }
    }
#endif
