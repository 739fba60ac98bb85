// What pyramid, its tests and the packages they use take from Foundation on Apple's systems.
@_exported import Dispatch

open class NSObject: Hashable {
    public init() {}
    open func mutableCopy() -> Any { fatalError() }
    public static func == (left: NSObject, right: NSObject) -> Bool { fatalError() }
    public func hash(into hasher: inout Hasher) {}
}

public protocol NSObjectProtocol: AnyObject {}
extension NSObject: NSObjectProtocol {}
public final class NSNull: NSObject {}
open class NSCoder: NSObject {}

open class NSNumber: NSObject {
    public var intValue: Int { fatalError() }
    public var doubleValue: Double { fatalError() }
    public var stringValue: String { fatalError() }
}

open class NSDictionary: NSObject {
    public func isEqual(to other: [AnyHashable: Any]) -> Bool { fatalError() }
    public subscript(key: Any) -> Any? { fatalError() }
}

public final class NSMutableDictionary: NSDictionary {
    public override subscript(key: Any) -> Any? {
        get { fatalError() }
        set { fatalError() }
    }
    public func removeObject(forKey key: Any) {}
}

public final class NSError: NSObject, Error, @unchecked Sendable {
    public var code: Int { fatalError() }
    public var domain: String { fatalError() }
}

public protocol LocalizedError: Error {
    var errorDescription: String? { get }
}

extension Error {
    public var localizedDescription: String { fatalError() }
}

// MARK: Values

public typealias TimeInterval = Double

public struct Date: Hashable, Comparable, Sendable, Codable {
    public init() {}
    public init(timeIntervalSince1970: TimeInterval) {}
    public init(timeIntervalSinceNow: TimeInterval) {}
    public static var now: Date { fatalError() }
    public var timeIntervalSince1970: TimeInterval { fatalError() }
    public func ISO8601Format() -> String { fatalError() }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
    public func timeIntervalSince(_ date: Date) -> TimeInterval { fatalError() }
    public static func < (left: Date, right: Date) -> Bool { fatalError() }
}

public struct UUID: Hashable, Sendable {
    public init() {}
    public var uuidString: String { fatalError() }
}

public struct Locale: Hashable, Sendable {
    public init(identifier: String) {}
}

public struct TimeZone: Hashable, Sendable {
    public init?(secondsFromGMT seconds: Int) {}
    public static var gmt: TimeZone { fatalError() }
}

public struct DateComponents: Hashable, Sendable {
    public init(
        year: Int? = nil, month: Int? = nil, day: Int? = nil, hour: Int? = nil, minute: Int? = nil, second: Int? = nil
    ) {}
    public var year: Int?
    public var month: Int?
    public var day: Int?
    public var hour: Int?
    public var weekOfYear: Int?
    public var yearForWeekOfYear: Int?
}

public struct Calendar: Hashable, Sendable {
    public enum Identifier: Hashable, Sendable { case iso8601 }
    public enum Component: Hashable, Sendable { case year, month, day, hour, weekOfYear, yearForWeekOfYear }
    public init(identifier: Identifier) {}
    public var timeZone: TimeZone {
        get { fatalError() }
        set { fatalError() }
    }
    public func date(from components: DateComponents) -> Date? { fatalError() }
    public func dateComponents(_ components: Set<Component>, from date: Date) -> DateComponents { fatalError() }
}

open class DateFormatter: NSObject {
    public var calendar: Calendar! {
        get { fatalError() }
        set { fatalError() }
    }
    public var locale: Locale! {
        get { fatalError() }
        set { fatalError() }
    }
    public var timeZone: TimeZone! {
        get { fatalError() }
        set { fatalError() }
    }
    public var dateFormat: String! {
        get { fatalError() }
        set { fatalError() }
    }
    public func string(from date: Date) -> String { fatalError() }
}

extension Date {
    public struct ISO8601FormatStyle: Sendable {
        public enum DateSeparator: Sendable { case dash, omitted }
        public enum DateTimeSeparator: Sendable { case space, standard }
        public enum TimeSeparator: Sendable { case colon, omitted }
        public enum TimeZoneSeparator: Sendable { case colon, omitted }
        public init(
            dateSeparator: DateSeparator = .dash, dateTimeSeparator: DateTimeSeparator = .standard,
            timeSeparator: TimeSeparator = .colon, timeZoneSeparator: TimeZoneSeparator = .omitted,
            includingFractionalSeconds: Bool = false, timeZone: TimeZone = .gmt
        ) {}
    }
    public func formatted(_ style: ISO8601FormatStyle) -> String { fatalError() }
}

public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
    }

    public init() {}
    public init(_ elements: some Sequence<UInt8>) {}
    public mutating func append(_ other: Data) {}
    public init(count: Int) {}
    public init(repeating: UInt8, count: Int) {}
    public init(bytes: UnsafeRawPointer, count: Int) {}
    public init(contentsOf url: URL) throws {}
    public struct Base64DecodingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var ignoreUnknownCharacters: Base64DecodingOptions { fatalError() }
    }
    public init?(base64Encoded: String, options: Base64DecodingOptions = []) {}
    public func base64EncodedString() -> String { fatalError() }
    public func write(to url: URL, options: WritingOptions = []) throws {}
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
    public func range(of data: Data) -> Range<Int>? { fatalError() }
    public var startIndex: Int { fatalError() }
    public var endIndex: Int { fatalError() }
    public subscript(index: Int) -> UInt8 {
        get { fatalError() }
        set { fatalError() }
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { fatalError() }
        set { fatalError() }
    }
    public mutating func replaceSubrange(_ range: Range<Int>, with elements: some Collection<UInt8>) {}
}

public struct Decimal: Hashable, Comparable, Sendable, SignedNumeric, ExpressibleByFloatLiteral {
    public init() {}
    public init(_ value: Int) {}
    public init(_ value: Int32) {}
    public init(_ value: Double) {}
    public init?(exactly source: some BinaryInteger) {}
    public init(integerLiteral value: Int) {}
    public init(floatLiteral value: Double) {}
    public init?(string: String, locale: Locale? = nil) {}
    public var magnitude: Decimal { fatalError() }
    public static func + (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func - (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func * (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func / (left: Decimal, right: Decimal) -> Decimal { fatalError() }
    public static func *= (left: inout Decimal, right: Decimal) {}
    public static func < (left: Decimal, right: Decimal) -> Bool { fatalError() }
}

extension Decimal: CustomStringConvertible {
    public var description: String { fatalError() }
    public enum RoundingMode: UInt, Sendable { case plain, down, up, bankers }
}

public final class NSDecimalNumber: NSNumber {
    public init(decimal: Decimal) {}
}
public func NSDecimalRound(
    _ result: UnsafeMutablePointer<Decimal>, _ number: UnsafePointer<Decimal>, _ scale: Int,
    _ mode: Decimal.RoundingMode
) {}

// MARK: Texts

public struct CharacterSet: Sendable {
    public static var newlines: CharacterSet { fatalError() }
    public static var whitespaces: CharacterSet { fatalError() }
    public static var whitespacesAndNewlines: CharacterSet { fatalError() }
}

extension String {
    public struct Encoding: Sendable, Hashable {
        public static let utf8 = Encoding()
        public static let utf16LittleEndian = Encoding()
        public static let isoLatin1 = Encoding()
        public static let windowsCP1252 = Encoding()
        public static let utf16BigEndian = Encoding()
    }

    public init(contentsOfFile path: String, encoding: Encoding) throws { fatalError() }
    public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
    public init?(data: Data, encoding: Encoding) { fatalError() }
    public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}

extension StringProtocol {
    public var decomposedStringWithCanonicalMapping: String { fatalError() }
    public var precomposedStringWithCanonicalMapping: String { fatalError() }
    public func components(separatedBy separator: some StringProtocol) -> [String] { fatalError() }
    public func contains(_ other: some StringProtocol) -> Bool { fatalError() }
    public func data(using encoding: String.Encoding, allowLossyConversion: Bool = false) -> Data? { fatalError() }
    public func range(of text: some StringProtocol, range: Range<Index>? = nil) -> Range<Index>? { fatalError() }
    public func replacingOccurrences(of target: some StringProtocol, with replacement: some StringProtocol) -> String {
        fatalError()
    }
    public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
    public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
    public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
}

public struct NSRange: Hashable, Sendable {
    public var location: Int { fatalError() }
    public var length: Int { fatalError() }
    public init<Region: RangeExpression, Text: StringProtocol>(_ region: Region, in text: Text)
    where Region.Bound == String.Index {}
}

extension Range where Bound == String.Index {
    public init?(_ range: NSRange, in text: some StringProtocol) { fatalError() }
}

public final class NSTextCheckingResult: NSObject {
    public func range(at index: Int) -> NSRange { fatalError() }
}

public final class NSRegularExpression: NSObject, @unchecked Sendable {
    public init(pattern: String) throws {}
    public func firstMatch(in text: String, range: NSRange) -> NSTextCheckingResult? { fatalError() }
}

// MARK: JSON

open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }
    public enum KeyEncodingStrategy: Sendable { case useDefaultKeys, convertToSnakeCase }
    public enum DateEncodingStrategy: Sendable { case deferredToDate, iso8601 }

    public init() {}
    public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
    public var outputFormatting: OutputFormatting = []
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    public func encode(_ value: some Encodable) throws -> Data { fatalError() }
}

open class JSONDecoder {
    public enum KeyDecodingStrategy: Sendable { case useDefaultKeys, convertFromSnakeCase }
    public enum DateDecodingStrategy: Sendable { case deferredToDate, iso8601 }

    public init() {}
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

public final class JSONSerialization: NSObject {
    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let fragmentsAllowed = ReadingOptions(rawValue: 4)
    }
    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let prettyPrinted = WritingOptions(rawValue: 1)
        public static let sortedKeys = WritingOptions(rawValue: 2)
        public static let fragmentsAllowed = WritingOptions(rawValue: 4)
        public static let withoutEscapingSlashes = WritingOptions(rawValue: 8)
    }

    public class func isValidJSONObject(_ object: Any) -> Bool { fatalError() }
    public class func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { fatalError() }
    public class func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { fatalError() }
}

// MARK: Files

public func NSTemporaryDirectory() -> String { fatalError() }

public struct URL: Hashable, Sendable, Codable {
    public init?(string: String) {}
    public init?(string: String, relativeTo url: URL?) {}
    public init(filePath path: String) {}
    public init(fileURLWithPath path: String) {}
    public init(fileURLWithPath path: String, isDirectory: Bool) {}
    public var path: String { fatalError() }
    public var host: String? { fatalError() }
    public var port: Int? { fatalError() }
    public var query: String? { fatalError() }
    public var scheme: String? { fatalError() }
    public var lastPathComponent: String { fatalError() }
    public var pathExtension: String { fatalError() }
    public var absoluteString: String { fatalError() }
    public var absoluteURL: URL { fatalError() }
    public var standardized: URL { fatalError() }
    public var standardizedFileURL: URL { fatalError() }
    public static var cachesDirectory: URL { fatalError() }
    public func appending(path: some StringProtocol) -> URL { fatalError() }
    public func appendingPathComponent(_ component: String) -> URL { fatalError() }
    public func deletingLastPathComponent() -> URL { fatalError() }
    public func resolvingSymlinksInPath() -> URL { fatalError() }
}

public struct URLComponents: Hashable, Sendable {
    public init() {}
    public var scheme, host, query: String?
    public var port: Int?
    public var path: String {
        get { fatalError() }
        set { fatalError() }
    }
    public var url: URL? { fatalError() }
}

public struct URLResourceKey: Hashable, Sendable {
    public static let isDirectoryKey = URLResourceKey()
}

public struct ObjCBool: ExpressibleByBooleanLiteral, Sendable {
    public init(booleanLiteral value: Bool) {}
    public var boolValue: Bool { fatalError() }
}

public struct FileAttributeKey: Hashable, Sendable {
    public static let modificationDate = FileAttributeKey()
    public static let posixPermissions = FileAttributeKey()
    public static let size = FileAttributeKey()
    public static let systemFileNumber = FileAttributeKey()
    public static let systemFreeSize = FileAttributeKey()
    public static let type = FileAttributeKey()
}

open class FileManager: NSObject, @unchecked Sendable {
    open class DirectoryEnumerator: NSObject, Sequence, IteratorProtocol {
        public func next() -> Any? { fatalError() }
    }

    public class var `default`: FileManager { fatalError() }
    public var temporaryDirectory: URL { fatalError() }
    public var currentDirectoryPath: String { fatalError() }
    public func attributesOfFileSystem(forPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
    public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { fatalError() }
    public func contents(atPath path: String) -> Data? { fatalError() }
    public func contentsOfDirectory(at url: URL, includingPropertiesForKeys: [URLResourceKey]?) throws -> [URL] {
        fatalError()
    }
    public func contentsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
    public func copyItem(atPath path: String, toPath: String) throws {}
    public func createDirectory(
        at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    public func createDirectory(
        atPath path: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
    ) throws {}
    @discardableResult
    public func createFile(atPath path: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil) -> Bool {
        fatalError()
    }
    public func createSymbolicLink(at url: URL, withDestinationURL: URL) throws {}
    public func createSymbolicLink(atPath path: String, withDestinationPath: String) throws {}
    public func destinationOfSymbolicLink(atPath path: String) throws -> String { fatalError() }
    public func enumerator(atPath path: String) -> DirectoryEnumerator? { fatalError() }
    public func fileExists(atPath path: String) -> Bool { fatalError() }
    public func fileExists(atPath path: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { fatalError() }
    public func isExecutableFile(atPath path: String) -> Bool { fatalError() }
    public func moveItem(atPath path: String, toPath: String) throws {}
    public func removeItem(at url: URL) throws {}
    public func removeItem(atPath path: String) throws {}
    public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {}
    public func subpathsOfDirectory(atPath path: String) throws -> [String] { fatalError() }
}

public final class FileHandle: NSObject, @unchecked Sendable {
    public class var nullDevice: FileHandle { fatalError() }
    public class var standardError: FileHandle { fatalError() }
    public init?(forReadingAtPath path: String) {}
    public init?(forWritingAtPath path: String) {}
    public init(forReadingFrom url: URL) throws {}
    public init(forWritingTo url: URL) throws {}
    public init(forUpdating url: URL) throws {}
    public init(fileDescriptor: Int32, closeOnDealloc: Bool = false) {}
    public var availableData: Data { fatalError() }
    public var fileDescriptor: Int32 { fatalError() }
    public func readDataToEndOfFile() -> Data { fatalError() }
    public func readToEnd() throws -> Data? { fatalError() }
    public func read(upToCount count: Int) throws -> Data? { fatalError() }
    public func write(_ data: Data) {}
    public func write(contentsOf data: some Sequence<UInt8>) throws {}
    @discardableResult public func seekToEnd() throws -> UInt64 { fatalError() }
    public func seek(toOffset offset: UInt64) throws {}
    public func truncate(atOffset offset: UInt64) throws {}
    public func synchronize() throws {}
    public func close() throws {}
}

public final class Bundle: NSObject, @unchecked Sendable {
    public class var main: Bundle { fatalError() }
    public class var allBundles: [Bundle] { fatalError() }
    public var bundleIdentifier: String? { fatalError() }
    public var bundlePath: String { fatalError() }
    public var bundleURL: URL { fatalError() }
}

// MARK: Threads and programs

public final class NSLock: NSObject, @unchecked Sendable {
    public func lock() {}
    public func unlock() {}
    public func withLock<R>(_ body: () throws -> R) rethrows -> R { fatalError() }
}

public final class Thread: NSObject, @unchecked Sendable {
    public convenience init(block: @escaping @Sendable @convention(block) () -> Void) { fatalError() }
    public class func detachNewThread(_ block: @escaping @Sendable @convention(block) () -> Void) {}
    public class func sleep(forTimeInterval: TimeInterval) {}
    public var stackSize: Int {
        get { fatalError() }
        set { fatalError() }
    }
    public func start() {}
}

public final class ProcessInfo: NSObject, @unchecked Sendable {
    public class var processInfo: ProcessInfo { fatalError() }
    public var environment: [String: String] { fatalError() }
    public var arguments: [String] { fatalError() }
    public var physicalMemory: UInt64 { fatalError() }
    public var activeProcessorCount: Int { fatalError() }
    public var processIdentifier: Int32 { fatalError() }
}

#if os(macOS)
    public final class Pipe: NSObject, @unchecked Sendable {
        public var fileHandleForReading: FileHandle { fatalError() }
        public var fileHandleForWriting: FileHandle { fatalError() }
    }

    public final class Process: NSObject {
        public enum TerminationReason: Int, Sendable { case exit, uncaughtSignal }
        public var executableURL, currentDirectoryURL: URL?
        public var arguments: [String]?
        public var environment: [String: String]?
        public var standardInput, standardOutput, standardError: Any?
        public var processIdentifier: Int32 { fatalError() }
        public var isRunning: Bool { fatalError() }
        public var terminationStatus: Int32 { fatalError() }
        public var terminationReason: TerminationReason { fatalError() }
        public func run() throws {}
        public func terminate() {}
        public func interrupt() {}
        public func waitUntilExit() {}
    }
#endif

// MARK: HTTP

public struct URLError: Error, Hashable, Sendable {
    public struct Code: Hashable, Sendable {
        public static var badServerResponse: Code { fatalError() }
        public static var badURL: Code { fatalError() }
        public static var cancelled: Code { fatalError() }
        public static var networkConnectionLost: Code { fatalError() }
        public static var timedOut: Code { fatalError() }
    }
    public init(_ code: Code, userInfo: [String: Any] = [:]) {}
    public var code: Code { fatalError() }
}

public struct URLRequest: Hashable, Sendable {
    public enum CachePolicy: UInt, Sendable { case useProtocolCachePolicy, reloadIgnoringLocalCacheData }
    public init(url: URL) {}
    public var cachePolicy: CachePolicy {
        get { fatalError() }
        set { fatalError() }
    }
    public var httpMethod: String?
    public var httpBody: Data?
    public var url: URL?
    public var timeoutInterval: TimeInterval {
        get { fatalError() }
        set { fatalError() }
    }
    public var allHTTPHeaderFields: [String: String]?
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

open class URLResponse: NSObject, @unchecked Sendable {
    public var url: URL? { fatalError() }
}

public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {}
    public var statusCode: Int { fatalError() }
    public var allHeaderFields: [AnyHashable: Any] { fatalError() }
    public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}

public final class CachedURLResponse: NSObject, @unchecked Sendable {}

public final class URLCache: NSObject, @unchecked Sendable {
    public enum StoragePolicy: UInt, Sendable { case allowed, allowedInMemoryOnly, notAllowed }
    public init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {}
}

open class URLSessionConfiguration: NSObject, @unchecked Sendable {
    public class var `default`: URLSessionConfiguration { fatalError() }
    public class var ephemeral: URLSessionConfiguration { fatalError() }
    public var protocolClasses: [AnyClass]? {
        get { fatalError() }
        set { fatalError() }
    }
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { fatalError() }
        set { fatalError() }
    }
    public var timeoutIntervalForRequest: TimeInterval {
        get { fatalError() }
        set { fatalError() }
    }
    public var urlCache: URLCache? {
        get { fatalError() }
        set { fatalError() }
    }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}

open class URLSessionTask: NSObject, @unchecked Sendable {
    public var taskIdentifier: Int { fatalError() }
    public var originalRequest: URLRequest? { fatalError() }
    public var response: URLResponse? { fatalError() }
    public var delegate: (any URLSessionTaskDelegate)? {
        get { fatalError() }
        set { fatalError() }
    }
    open func resume() {}
    open func cancel() {}
}

open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

open class URLSession: NSObject, @unchecked Sendable {
    public class var shared: URLSession { fatalError() }
    public init(configuration: URLSessionConfiguration) {}
    public func data(for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (
        Data, URLResponse
    ) {
        fatalError()
    }
    public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (Data, URLResponse) {
        fatalError()
    }
    public func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
    public func invalidateAndCancel() {}
    public func finishTasksAndInvalidate() {}
}

public protocol URLProtocolClient: NSObjectProtocol {
    func urlProtocol(
        _ protocol: URLProtocol, didReceive response: URLResponse, cacheStoragePolicy: URLCache.StoragePolicy)
    func urlProtocol(_ protocol: URLProtocol, didLoad data: Data)
    func urlProtocol(_ protocol: URLProtocol, didFailWithError error: any Error)
    func urlProtocolDidFinishLoading(_ protocol: URLProtocol)
}

open class URLProtocol: NSObject {
    open var client: (any URLProtocolClient)? { fatalError() }
    open var request: URLRequest { fatalError() }
    open class func canInit(with request: URLRequest) -> Bool { fatalError() }
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { fatalError() }
    open func startLoading() {}
    open func stopLoading() {}
}
