@_exported import Darwin

public final class DispatchQueue: Sendable {
    public init(label: String) {}
    public class func global() -> DispatchQueue { fatalError() }
    public class func concurrentPerform(iterations: Int, execute work: (Int) -> Void) {}
    public func async(execute work: @escaping @Sendable @convention(block) () -> Void) {}
}

public protocol DispatchSourceProtocol: AnyObject {
    func setEventHandler(handler: (@Sendable @convention(block) () -> Void)?)
    func resume()
    func cancel()
}

public protocol DispatchSourceSignal: DispatchSourceProtocol {}

public final class DispatchSource: Sendable {
    public class func makeSignalSource(signal: Int32, queue: DispatchQueue? = nil) -> any DispatchSourceSignal {
        fatalError()
    }
}

public final class DispatchSemaphore: Sendable {
    public init(value: Int) {}
    public func wait() {}
    @discardableResult public func signal() -> Int { fatalError() }
}
