import PyramidPlatform
import PyramidTiles

/// Finds files in a tileset's folders that are not in its list. Missing files are only found when they are read.
///
/// A folder that shouldn't exist counts as one stray and is not searched. Symbolic links are never followed.
struct StraySearch {
    let root: String
    let storage: TileStorage
    private(set) var strays: [StrayFile] = []

    /// Finds files next to the tile folders whose names start like a list or metadata file: copies, and leftovers of
    /// interrupted builds. All other files belong to the user, also metadata compressed for a web server.
    mutating func runBesideFolders() {
        let own = [Manifest.fileName, TileJSON.fileName, FileList.fileName]
        let compressed = own.flatMap { name in [".gz", ".br", ".zst"].map { name + $0 } }
        for name in listing(of: ".") where !own.contains(name) && !compressed.contains(name) {
            let isTemporary = name == TilesetMetadata.previewName + TileStorage.temporarySuffix
            guard isTemporary || own.contains(where: name.hasPrefix) else { continue }
            strays.append(StrayFile(path: name, problem: .unlisted))
        }
    }

    /// Searches the folder of a kind of files. O(n log n)
    /// - Parameter entries: the files that the folder should hold, in the order of addresses.
    mutating func run(_ kind: FileAddress.Kind, _ entries: FileList.Entries.SubSequence) {
        guard isDirectory(kind.folder) else {
            if !entries.isEmpty { strays.append(StrayFile(path: kind.folder, problem: .missingFolder)) }
            return
        }
        search(kind.folder, kind, entries, depth: 0)
    }

    /// - Parameter depth: the index of the address's number that names in the folder stand for.
    private mutating func search(
        _ folder: String, _ kind: FileAddress.Kind, _ entries: FileList.Entries.SubSequence, depth: Int
    ) {
        let isLast = depth == FileAddress.numberCount - 1
        let suffix = isLast ? storage.suffix : ""
        for name in listing(of: folder) {
            let path = "\(folder)/\(name)"
            let value = name.hasSuffix(suffix) ? Int(name.dropLast(suffix.count)) : nil
            // A name with another spelling of the number, such as "07", is a stray too.
            guard let value, "\(value)\(suffix)" == name, case let listed = entries.run(of: value, at: depth),
                !listed.isEmpty
            else {
                strays.append(StrayFile(path: path, problem: .unlisted))
                continue
            }
            // If a listed path isn't a file, reading it fails.
            if isLast { continue }
            if isDirectory(path) {
                search(path, kind, listed, depth: depth + 1)
            } else {
                strays.append(StrayFile(path: path, problem: .notADirectory))
            }
        }
    }

    /// The names in a folder; none if it can't be listed, which is reported.
    private mutating func listing(of folder: String) -> [String] {
        if let names = names(inDirectory: "\(root)/\(folder)") { return names }
        strays.append(StrayFile(path: folder, problem: .unreadable(String(cString: strerror(errno)))))
        return []
    }

    private func isDirectory(_ path: String) -> Bool {
        var status = stat()
        return lstat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension FileList.Entries.SubSequence {
    /// The entries whose addresses have the number `value` at the index `depth`. O(log n)
    fileprivate func run(of value: Int, at depth: Int) -> FileList.Entries.SubSequence {
        let start = partitioningIndex { $0.address.number(depth) >= value }
        return self[start..<self[start...].partitioningIndex { $0.address.number(depth) > value }]
    }
}
