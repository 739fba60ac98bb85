import PyramidPlatform
import PyramidStore

/// A copy of Leaflet 1 on this machine, to embed in pages, which then work offline.
public struct LocalLeaflet: Sendable {
    let script, style: String

    /// The copy of npm in the working directory or a directory above it, or the one of Debian's libjs-leaflet; `nil` if
    /// neither is installed.
    public static func installed() -> LocalLeaflet? {
        installed(
            above: FileManager.default.currentDirectoryPath, debianDirectory: "/usr/share/javascript/leaflet")
    }

    static func installed(above directory: String, debianDirectory: String) -> LocalLeaflet? {
        var names = directory.split(separator: "/")[...]
        var paths: [String] = []
        while true {
            paths.append(names.map { "/\($0)" }.joined() + "/node_modules/leaflet/dist/leaflet.js")
            if names.popLast() == nil { break }
        }
        paths += ["leaflet.min.js", "leaflet.js"].map { "\(debianDirectory)/\($0)" }
        return paths.lazy.compactMap { try? LocalLeaflet(path: $0) }.first
    }

    /// Reads a copy.
    /// - Parameter path: of its script, with `leaflet.css` and the folder `images` beside it.
    /// - Throws: ``StoreError`` if a file is missing, or the script isn't Leaflet 1.
    public init(path: String) throws(StoreError) {
        script = try LocalLeaflet.text(atPath: path)
        // Version 2 and the modules for bundlers define no global `L`.
        guard script.contains("typeof exports"),
            script.contains("version=\"1.") || script.contains("version = \"1.")
        else { throw StoreError(path: path, reason: .damaged("is not the script of Leaflet 1")) }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        style = LocalLeaflet.embeddingImages(in: try LocalLeaflet.text(atPath: "\(folder)/leaflet.css"), of: folder)
    }

    private static func text(atPath path: String) throws(StoreError) -> String {
        String(decoding: try bytes(atPath: path), as: UTF8.self)
    }

    private static func bytes(atPath path: String) throws(StoreError) -> [UInt8] {
        do throws(StoreError) {
            let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            return try RegularFile.bytes(atPath: file, limitBytes: 4 << 20)
        } catch {
            throw StoreError(path: path, reason: error.reason)
        }
    }

    /// Replaces links to images by the images. One that can't be read stays a link, as the page uses none of them.
    private static func embeddingImages(in style: String, of folder: String) -> String {
        style.replacing(/url\(["']?(images\/[\w.-]+\.png)["']?\)/) { match in
            guard let image = try? bytes(atPath: "\(folder)/\(match.1)") else { return String(match.0) }
            return "url(data:image/png;base64,\(Data(image).base64EncodedString()))"
        }
    }
}
