// Apps on iPhones and the like can't start programs.
#if os(macOS) || os(Linux)
    import PyramidPlatform
    import PyramidStore

    /// A place that a program reaches, which copies files there.
    protocol ToolDestination: PublishingDestination {
        var tool: InstalledTool { get }

        /// Copies each file in a folder under its own path.
        /// - Parameter progress: called on this thread with the number of files that are copied.
        func copy(_ folder: String, _ headers: PublishingHeaders, progress: (Int) throws -> Void) throws
    }

    extension ToolDestination {
        public func stop() { tool.stop() }

        public func upload(
            _ paths: [String], _ headers: PublishingHeaders, content: (Int) throws -> [UInt8],
            progress: (Int) throws -> Void
        ) throws {
            // A single process copies them all, several at a time.
            let scratch = try ScratchDirectory()
            for (index, path) in paths.enumerated() { _ = try scratch.file(path, content(index)) }
            try copy(scratch.path(""), headers, progress: progress)
        }

        public func upload(_ archive: ArchiveTileset, _ headers: PublishingHeaders) throws {
            let scratch = try ScratchDirectory()
            // The file stays as it is, also while the program reads it.
            try DirectoryHandle(path: scratch.path("")).pin(archive.file, as: archive.location.name)
            try copy(scratch.path(""), headers) { _ in }
        }
    }
#endif
