import PackagePlugin

/// Embeds the text files of a target in its code, all but Swift sources: `EmbeddedFiles.texts` has them by file name.
///
/// They become string literals. SwiftPM's own `.embedInCode` writes arrays of bytes, which took a tenth of the time of a build.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        let files = (target.sourceModule?.sourceFiles.map(\.url) ?? []).filter { $0.pathExtension != "swift" }
        let source = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files in \(target.name)",
                executable: .init(filePath: "/bin/sh"),
                arguments: ["-euc", script, source.path(percentEncoded: false)]
                    + files.map { $0.path(percentEncoded: false) },
                inputFiles: files, outputFiles: [source])
        ]
    }
}

/// Its arguments are the file to write and those to read.
private let script = ##"""
    exec > "$0"
    echo 'enum EmbeddedFiles { static let texts: [String: String] = ['
    for file; do
        printf '"%s": #"""\n' "${file##*/}"
        cat "$file"
        printf '\n"""#,\n'
    done
    echo '] }'
    """##
