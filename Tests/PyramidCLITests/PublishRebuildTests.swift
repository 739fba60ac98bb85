#if os(Linux)
    import Foundation
    import PyramidTiles
    import TestSupport
    import Testing

    /// Publishes whose tileset is built again, or that are ended, or both, at random moments.
    @Suite(.tags(.slow)) struct PublishRebuildTests {
        private let folder: TemporaryFolder
        /// Three tilesets; the files of the first two have the same sizes.
        private static let inputCount = 3

        init() throws {
            folder = try TemporaryFolder()
            for index in 0..<PublishRebuildTests.inputCount {
                var random = SeededRandom(seed: index < 2 ? 1 : 2)
                let rows = (0..<(isCampaign ? 700 : 300)).map { _ in
                    "\(random.next(below: 1600) - 800)e-1,\(random.next(below: 3400) - 1700)e-1,\(index + 1)\n"
                }
                try folder.file("\(index).csv", "lat,lon,v\n" + rows.joined())
                try build(index, "\(index)")
            }
            try folder.program("aws", aws)
        }

        /// A bucket in the folder `bucket`, on a host that handles one request after the other, those of programs whose
        /// publish was killed too.
        private var aws: String {
            """
            cd '\(folder.path)'; exec 9>lock; flock 9
            case "$*" in
            's3 cp '*) mkdir -p "bucket/${4#s3://*/}"; cp -rvT "$3" "bucket/${4#s3://*/}"; exit ;;
            esac
            for last; do :; done
            operation=$2
            while [ $# -gt 1 ]; do
                case "$1" in
                --key) file=bucket/$2 ;;
                --body) body=$2 ;;
                --prefix) prefix=$2 ;;
                --delete) batch=${2#file://} ;;
                --if-match) tag=$2 ;;
                --if-none-match) tag=none ;;
                esac
                shift
            done
            case $operation in
            list-objects-v2)
                find bucket -type f -printf '%P\\t%s\\n' | grep "^$prefix" || echo None
                exit ;;
            delete-objects)
                sed 's|\\\\/|/|g; s|"Key":"|\\n|g' "$batch" | sed -n 's|^\\([^"[{][^"]*\\)".*|bucket/\\1|p' | xargs -r rm -f
                exit ;;
            get-object) cp "$file" "$last" 2>&- || exit 254 ;;
            put-object)
                found=none; [ ! -e "$file" ] || found=$(cksum <"$file" | tr ' ' -)
                [ "$tag" = "$found" ] || exit 254
                mkdir -p "${file%/*}"; cp "$body" "$file" ;;
            esac
            echo '{"ETag": "'$(cksum <"$file" | tr ' ' -)'"}'
            """
        }

        private func build(_ index: Int, _ name: String) throws {
            let build = ["build", folder.path("\(index).csv"), folder.path(name), "--max-zoom", "6"]
            let outcome = try CommandLineProgram.run(build + ["--compression", "none", "--quiet", "--no-sync"])
            try #require(outcome.exitCode == 0, "\(outcome.standardError)")
        }

        private func publish(
            _ options: [String], whileRunning body: (Process) throws -> Void = { _ in }
        ) throws -> CommandLineProgram.Outcome {
            try CommandLineProgram.run(
                ["publish", folder.path("src")] + options + ["--quiet"],
                environment: ["PATH": "\(folder.path):/usr/bin:/bin"], whileRunning: body)
        }

        @Test(arguments: [false, true], [false, true])
        func `after a rebuild or a kill at any moment, the next publish gives a sound tileset`(
            isVersioned: Bool, isBucket: Bool
        ) throws {
            let place = folder.path(isBucket ? "bucket/www" : "www")
            var options = isBucket ? ["s3://bucket/www", "--take-over"] : [place, "--no-sync"]
            if isVersioned { options += ["--versioned", "--keep", "1"] }
            var random = SeededRandom(seed: (isVersioned ? 1 : 0) + (isBucket ? 2 : 0))
            var microseconds = 200_000
            var (endCount, failureCount) = (0, 0)
            for number in 0..<(isCampaign ? 75 : 3) {
                // Some begin with nothing there, others with what the one before has left.
                if number % 5 == 0 { try? FileManager.default.removeItem(atPath: place) }
                try build(random.next(below: PublishRebuildTests.inputCount), "src")
                let kind = random.next(below: 3)
                let outcome = try publish(options) { process in
                    let moments = (0..<2).map { _ in UInt32(random.next(below: microseconds)) }.sorted()
                    let signal = random.next(below: 3) == 0 ? SIGTERM : SIGKILL
                    let rebuild = { try build(random.next(below: PublishRebuildTests.inputCount), "src") }
                    let end = { if process.isRunning { _ = kill(process.processIdentifier, signal) } }
                    let isKilledFirst = random.next(below: 4) == 0
                    usleep(moments[0])
                    // Otherwise a build takes as long as a publish, and few files are read after it.
                    if kind != 0 { kill(process.processIdentifier, SIGSTOP) }
                    if kind == 1, isKilledFirst { end() }
                    if kind != 0 { try rebuild() }
                    kill(process.processIdentifier, SIGCONT)
                    usleep(moments[1] - moments[0])
                    if kind != 2 { end() }
                }
                if outcome.wasKilled || outcome.exitCode == 143 { endCount += 1 }
                if [65, 74].contains(outcome.exitCode) { failureCount += 1 }
                let next = random.next(below: PublishRebuildTests.inputCount)
                try build(next, "src")
                let began = Date()
                let repair = try publish(options)
                microseconds = min(Int(Date().timeIntervalSince(began) * 1e6), 5_000_000)
                let what = Comment("\(number): kind \(kind), exit code \(outcome.exitCode), then \(repair)")
                #expect(repair.exitCode == 0, what)
                #expect(try CommandLineProgram.run(["verify", place, "--quiet"]).exitCode == 0, what)
                try expectIsPublished(next, at: place, isVersioned: isVersioned, isBucket: isBucket, what)
            }
            print("publishes that were ended: \(endCount), that failed: \(failureCount)")
            #expect(!isCampaign || endCount + failureCount > 15)
        }

        /// This is there and nothing else, but for older versions, which are sound too.
        private func expectIsPublished(
            _ index: Int, at place: String, isVersioned: Bool, isBucket: Bool, _ what: Comment
        ) throws {
            var (found, expected) = (try fileTree(at: place, listsDirectories: !isBucket), [String: Data]())
            var folders = ["": index]
            if isVersioned {
                let versions = try #require(
                    TileJSON(decoding: [UInt8](found["tilejson.json"] ?? Data())).versions, what)
                found["tilejson.json"] = nil
                folders = Dictionary(
                    uniqueKeysWithValues: try versions.map { version in
                        let manifest = found["\(version)/manifest.json"]
                        let index = try (0..<PublishRebuildTests.inputCount).first {
                            try manifest == Data(contentsOf: URL(fileURLWithPath: folder.path("\($0)/manifest.json")))
                        }
                        return (version + "/", try #require(index, what))
                    })
                #expect(folders[versions[0] + "/"] == index, what)
            }
            for (name, index) in folders {
                if !isBucket, !name.isEmpty { expected[name] = Data() }
                expected.merge(
                    try fileTree(at: folder.path("\(index)"), listsDirectories: !isBucket).map { (name + $0, $1) }
                ) { $1 }
            }
            let wrong = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
            #expect(wrong == [], what)
        }
    }
#endif
