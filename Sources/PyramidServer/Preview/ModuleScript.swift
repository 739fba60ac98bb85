/// ECMAScript modules as one script, so that a page can hold them all.
///
/// Each becomes a function that is called once and gives what the module exports: names of one module never meet those of
/// another. Modules are known by the names of their files, and only those forms of `import` and `export` are understood
/// that the modules use, each on a line of its own. Anything else is a mistake in the modules, which every page would show.
struct ModuleScript {
    private let modules: [String: [UInt8]]
    private var text: [String] = ["const modules = {};"]
    /// What the modules that were added export.
    private var exports: [String: [Substring]] = [:]
    private var open: [String] = []

    /// - Parameters:
    ///   - entry: the name of the module that the others are there for.
    ///   - modules: by file name.
    static func text(of entry: String, among modules: [String: [UInt8]]) -> String {
        var script = ModuleScript(modules: modules)
        script.add(entry)
        return script.text.joined(separator: "\n")
    }

    private init(modules: [String: [UInt8]]) { self.modules = modules }

    /// Adds a module after those that it imports.
    private mutating func add(_ name: String) {
        guard exports[name] == nil else { return }
        precondition(!open.contains(name), "\(open.joined(separator: ", ")) import one another in a circle")
        guard let bytes = modules[name] else {
            preconditionFailure("\(open.last ?? "the page") imports \(name), which is not among its resources")
        }
        open.append(name)
        var names: [Substring] = []
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.map { line in
            if line.hasPrefix("import ") { return imported(line) }
            if line.hasPrefix("export ") { return exported(line, &names) }
            return String(line)
        }
        text.append("modules[\"\(name)\"] = (() => {")
        text += body
        text.append("return { \(names.joined(separator: ", ")) };\n})();")
        open.removeLast()
        exports[name] = names
    }

    /// `import { a, b as c } from "./module.js";`
    private mutating func imported(_ line: Substring) -> String {
        guard let match = line.wholeMatch(of: /import \{ ([\w$, ]+) \} from "(?:[^"]*\/)?([\w.-]+)";/) else {
            preconditionFailure("\(open.last ?? ""): \(line)")
        }
        add(String(match.2))
        for name in match.1.split(separator: ", ").compactMap({ $0.split(separator: " ").first }) {
            precondition(
                exports[String(match.2), default: []].contains(name),
                "\(open.last ?? ""): \(match.2) exports no \(name)")
        }
        return "const { \(match.1.replacing(" as ", with: ": ")) } = modules[\"\(match.2)\"];"
    }

    /// `export const a = …`, of which only the first name is exported, also of functions and classes, or
    /// `export { a, b };`
    private func exported(_ line: Substring, _ names: inout [Substring]) -> String {
        if let match = line.wholeMatch(of: /export \{ ([\w$, ]+) \};/) {
            names += match.1.split(separator: ", ")
            return ""
        }
        guard let match = line.prefixMatch(of: /export ((?:const|let|class|function|async function) ([\w$]+))/) else {
            preconditionFailure("\(open.last ?? ""): \(line)")
        }
        names.append(match.2)
        return String(line.dropFirst("export ".count))
    }
}
