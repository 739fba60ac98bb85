import ArgumentParser
import PyramidStore

extension MemoryLimit: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

struct RunningOptionGroup: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: """
            Build into a directory that has other files, which stay; replace an archive that another program wrote.
            """)
    var force = false

    @Option(help: ArgumentHelp("Number of threads. (default: all cores)", valueName: "n", visibility: .lessCommon))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            """
            Memory to use: 800M, 4G, or none for no limit. Builds that need more work in parts, on disk. \
            (default: what is available)
            """,
            valueName: "size"))
    var memoryLimit: MemoryLimit?

    @Flag(
        inversion: .prefixedNo,
        help: ArgumentHelp(
            "Wait until all files are on the disk, so that a power cut can't damage the tileset.",
            visibility: .lessCommon))
    var sync = true

    @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
    var quiet = false

    @Flag(help: "Print the summary as JSON on standard output.")
    var json = false

    /// tippecanoe's option for the output.
    @Option(
        name: [.customLong("output"), .customShort("o", allowingJoined: true)], help: .private, transform: refuseOutput)
    var output: String?

    private static func refuseOutput(_ path: String) throws -> String {
        throw ValidationError("the output is the last argument: pyramid build INPUT OUTPUT")
    }
}
