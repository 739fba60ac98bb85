import CFuzzer
import Foundation

/// A global, because the callback is a C function and can't capture it.
private nonisolated(unsafe) var check: (UnsafeRawBufferPointer) -> Void = { _ in }

/// `TARGET=csv Fuzz ...`, with arguments of libFuzzer. It starts the program again with its own arguments, so the target is in
/// the environment. `TARGET=csv SEEDS=folder Fuzz` writes the target's ``WrittenSeeds`` into a folder.
@main struct Fuzz {
    static func main() {
        guard let target = ProcessInfo.processInfo.environment["TARGET"].flatMap(FuzzTarget.init) else {
            fatalError("expected TARGET to be one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        if let folder = ProcessInfo.processInfo.environment["SEEDS"] {
            for (name, bytes) in WrittenSeeds.all[target] ?? [:] {
                require(
                    FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: Data(bytes)),
                    "\(name) can't be written")
            }
            return
        }
        check = target.check
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            check(UnsafeRawBufferPointer(start: data, count: size))
            return 0
        }
    }
}
