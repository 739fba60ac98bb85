import Foundation

/// The files below a directory by their relative paths, with their bytes. Of a file, its bytes by an empty path.
/// - Parameter listsDirectories: whether directories are listed too, as paths that end with a slash, without bytes.
package func fileTree(at path: String, listsDirectories: Bool = false) throws -> [String: Data] {
    if let content = FileManager.default.contents(atPath: path) { return ["": content] }
    var tree: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
        if let content = FileManager.default.contents(atPath: path + "/" + name) {
            tree[name] = content
        } else if listsDirectories {
            tree[name + "/"] = Data()
        }
    }
    return tree
}
