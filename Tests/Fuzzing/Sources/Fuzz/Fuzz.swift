import CFuzzer

/// A global, because the callback is a C function and can't capture it.
private nonisolated(unsafe) var check: (UnsafeRawBufferPointer) -> Void = { _ in }

/// `Fuzz csv ...`: a target, then arguments of libFuzzer.
@main struct Fuzz {
    static func main() {
        guard CommandLine.arguments.count > 1, let target = FuzzTarget(rawValue: CommandLine.arguments[1]) else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
            fatalError("expected one of \(names), then arguments of libFuzzer")
        }
        check = target.check
        // Without the target's name, which libFuzzer would take for a corpus.
        var count = CommandLine.argc - 1
        let values = CommandLine.unsafeArgv
        values[1] = values[0]
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = values + 1
        _ = LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            check(UnsafeRawBufferPointer(start: data, count: size))
            return 0
        }
    }
}
