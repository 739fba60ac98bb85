import PyramidTiles
import Testing

@testable import PyramidCLI

struct OptionFlagsTests {
    @Test func `every option that a message names has the flag that a command takes`() throws {
        let help = try ["build", "publish"].map { try CommandLineProgram.run([$0, "--help"]).standardOutput }.joined()
        let words = Set(help.split { " \n,()[]".contains($0) })
        for option in OptionName.allCases {
            #expect(words.contains(Substring(option.flag)), "\(option)")
        }
    }

    @Test func `errors name flags`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("points.csv", "lat,lon\n48,11\n")
        let usage = try CommandLineProgram.run(["build", file, folder.path("out"), "--members", "5"])
        #expect(usage.exitCode == 64)
        #expect(usage.standardError.contains("--members lists ids, expected --id-column, or --member-properties"))
        let column = try CommandLineProgram.run(["build", file, folder.path("out"), "--weight", "w"])
        #expect(column.exitCode == 64)
        #expect(column.standardError.contains("no column \"w\" for --weight, expected one of"))
    }
}
