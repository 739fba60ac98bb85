import ArgumentParser
import PyramidBuild

extension MemoryLimit: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

struct RunningOptionGroup: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: """
            Build into a directory that holds other files, and leave them alone; replace an archive that another program \
            wrote.
            """)
    var force = false

    @Option(help: ArgumentHelp("Number of threads. (default: all cores)", valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Refuse a build that would need more memory: 800M, 4G, or none. (default: what the system has)",
            valueName: "size"))
    var memoryLimit: MemoryLimit?

    @Flag(
        inversion: .prefixedNo,
        help: "Wait until everything is on the disk, so that not even a power cut can leave a wrong tileset.")
    var sync = true

    @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
    var quiet = false

    @Flag(help: "Print the summary as JSON on standard output.")
    var json = false

    /// Names the output in tippecanoe.
    @Option(
        name: [.customLong("output"), .customShort("o", allowingJoined: true)], help: .hidden, transform: refuseOutput)
    var output: String?

    private static func refuseOutput(_ path: String) throws -> String {
        throw ValidationError("the output is the last argument: pyramid build INPUT OUTPUT")
    }
}
