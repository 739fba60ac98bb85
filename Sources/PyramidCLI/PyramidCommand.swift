import ArgumentParser
import PyramidBuild

@main
struct PyramidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pyramid",
        abstract: "Clusters points for every zoom of a web map, and writes them as static tiles.",
        discussion: """
            pyramid build cities.csv out/     reads points, writes out/tiles/{z}/{x}/{y}.json and the metadata
            pyramid verify out/               proves that no point was lost and no file was damaged
            pyramid show out/ 3/4/2           shows one tile
            pyramid diff old/ new/            says which files changed between two builds
            pyramid publish out/ s3://tiles/  uploads what changed since it was published last
            pyramid serve out/                serves the tiles, and a page that shows them on a map

            Results go to standard output, all else to standard error. Exit codes: 0 done, 1 verify has findings or diff differences, \
            64 usage, 65 bad data, 66 input missing, 73 output can't be used, 74 read or write failed, 75 another build holds the output, \
            130 or 143 stopped by SIGINT or SIGTERM.
            """,
        version: PyramidBuilder.version,
        subcommands: [
            BuildCommand.self, VerifyCommand.self, ShowCommand.self, ServeCommand.self, DiffCommand.self,
            PublishCommand.self,
        ])
}
