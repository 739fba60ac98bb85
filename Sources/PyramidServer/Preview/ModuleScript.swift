/// Bundles ECMAScript modules into one script for a page.
///
/// Each module becomes a function that is called once and returns its exports, so names of different modules don't
/// clash. Modules are identified by file name. Comments on lines of their own are left out. Only the forms of `import` and `export` that the modules use are
/// supported, each on a line of its own; anything else is a mistake in the modules and stops the program.
struct ModuleScript {
    private let modules: [String: String]
    private var text: [String] = ["const modules = {};"]
    /// The names that each added module exports.
    private var exports: [String: [Substring]] = [:]
    /// The modules being added: each imports the next.
    private var open: [String] = []

    /// - Parameters:
    ///   - entry: the name of the main module.
    ///   - modules: by file name.
    static func text(of entry: String, among modules: [String: String]) -> String {
        var script = ModuleScript(modules: modules)
        script.add(entry)
        return script.text.joined(separator: "\n")
    }

    private init(modules: [String: String]) { self.modules = modules }

    /// Adds a module after those that it imports.
    private mutating func add(_ name: String) {
        guard exports[name] == nil else { return }
        precondition(!open.contains(name), "\(open.joined(separator: ", ")) import one another in a circle")
        guard let module = modules[name] else {
            preconditionFailure("\(open.last ?? "the page") imports \(name), which isn't among the embedded files")
        }
        open.append(name)
        var names: [Substring] = []
        let body = withoutComments(module).map { line in
            if line.hasPrefix("import ") { return imported(line) }
            if line.hasPrefix("export ") { return exported(line, &names) }
            return loaded(line)
        }
        text.append("modules[\"\(name)\"] = (() => {")
        text += body
        text.append("return { \(names.joined(separator: ", ")) };\n})();")
        open.removeLast()
        exports[name] = names
    }

    private func withoutComments(_ module: String) -> [Substring] {
        var isInComment = false
        return module.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            let text = line.drop { $0 == " " }
            if isInComment {
                isInComment = !text.hasSuffix("*/")
                return false
            }
            isInComment = text.hasPrefix("/*") && !text.contains("*/")
            return !isInComment && !text.hasPrefix("//") && !(text.hasPrefix("/*") && text.hasSuffix("*/"))
        }
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

    /// `() => import("./module.js")` in a line: the module is in the page.
    private mutating func loaded(_ line: Substring) -> String {
        // The pattern is compiled at each use. For all lines, that took longer than building a small tileset.
        guard line.contains("import(") else { return String(line) }
        guard let match = line.firstMatch(of: /\(\) => import\("(?:[^"]*\/)?([\w.-]+)"\)/) else {
            precondition(
                !line.replacing(/\/\*.*?\*\//, with: "").contains("import("), "\(open.last ?? ""): \(line)")
            return String(line)
        }
        add(String(match.1))
        return String(line).replacing(match.0, with: "() => Promise.resolve(modules[\"\(match.1)\"])")
    }

    /// `export const a = …`, likewise of functions and classes, of which only the first name is exported; or
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
