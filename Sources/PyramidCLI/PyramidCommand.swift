import ArgumentParser
import PyramidBuild
import PyramidPlatform
import PyramidTiles

@main
struct PyramidCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pyramid",
        abstract: "Cluster points for every zoom of a web map, ahead of time, as static tiles.",
        discussion: """
            pyramid build cities.csv out     read points, write out/tiles/{z}/{x}/{y}.json
            pyramid verify out cities.csv    check the tiles, and that they are the input's
            pyramid show out 3/4/2           print one tile
            pyramid serve out                show the tiles on a map in a browser
            pyramid diff old new             list the files that differ between two builds
            pyramid publish out s3://tiles/  upload what changed
            pyramid schema points.ndjson     list the columns, for building in parts
            pyramid plan < counts            plan the parts, for schedulers
            pyramid join parts/* out         join the parts into one tileset

            Results go to standard output, everything else to standard error.
            """,
        version: ProgramVersion.number,
        subcommands: [
            BuildCommand.self, VerifyCommand.self, ShowCommand.self, ServeCommand.self, DiffCommand.self,
            PublishCommand.self, SchemaCommand.self, PlanCommand.self, JoinCommand.self,
        ])

    /// The end of the program's help, after the usage.
    private static let exitCodes = """
        Exit codes:
          0         success
          1         verify has findings, or diff has differences
          64        wrong usage
          65        bad data
          66        input missing
          71        not enough memory, or no threads for serve
          73        output unusable
          74        reading or writing failed
          75        another build or publish holds the output
          130, 143  stopped by SIGINT or SIGTERM
        """

    static func main() {
        refuseUnknownCommand()
        refuseFilesLikeOptions()
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch  where exitCode(for: error) == .success {
            // Not an error but the help or the version.
            guard fullMessage(for: error) == helpMessage() else { exit(withError: error) }
            print(helpMessage(), exitCodes, separator: "\n\n")
        } catch {
            report(error)
            PyramidPlatform.exit(exitCode(for: error).rawValue)
        }
    }

    /// Shows an error of the parser in one line, and points to the help. Other errors have been shown already, so their
    /// message is empty here.
    private static func report(_ error: any Error) {
        var message = message(for: error)
        guard !message.isEmpty else { return }
        // Messages of the parser repeat arguments, which can hold line ends of their own.
        for argument in CommandLine.arguments where argument.contains("\n") {
            message.replace(argument, with: argument.escapingControls())
        }
        // What other programs call it.
        if ["'--radius'", "'--cluster-radius'"].contains(where: { message == "Unknown option \($0)" }) {
            message += ". Did you mean '--cluster-distance'?"
        }
        let lines = message.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        Console.error(lines.joined(separator: " "))
        guard exitCode(for: error) == .validationFailure else { return }
        let command = CommandLine.arguments.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : " \($0)" } ?? ""
        Console.line("see pyramid\(command) --help")
    }

    /// The parser would take `-dash.csv` for `-h` and other options.
    private static func refuseFilesLikeOptions() {
        for argument in CommandLine.arguments.dropFirst(2).prefix(while: { $0 != "--" })
        where argument.hasPrefix("-") && argument.count > 2 && access(argument, F_OK) == 0 {
            Console.error(
                "\(argument.escapingControls()) is a file whose name begins with -; write ./\(argument.escapingControls())"
            )
            exit(withError: Failure.usage)
        }
    }

    /// Names a misspelt command, which the parser would report as unexpected arguments.
    private static func refuseUnknownCommand() {
        let names = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        if let name = CommandLine.arguments.dropFirst().first, !name.hasPrefix("-"), !names.contains(name) {
            let suggestion =
                Misspelling.nearest(to: name, among: names + ["--version"]).map { "; did you mean \($0)?" } ?? ""
            Console.error("no command \"\(name)\", expected one of \(names.joined(separator: ", "))\(suggestion)")
            exit(withError: Failure.usage)
        }
    }
}
