// Darwin in Swift: the C headers, and what Apple's overlay adds for variadic functions and macros.
@_exported import CDarwin

public var errno: Int32 {
    get { fatalError() }
    set { fatalError() }
}

public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
public func openat(_ fd: Int32, _ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ value: Int32) -> Int32 { fatalError() }
public func fcntl(_ fd: Int32, _ cmd: Int32, _ ptr: UnsafeMutableRawPointer) -> Int32 { fatalError() }
public func ioctl(_ fd: CInt, _ request: UInt, _ value: CInt) -> CInt { fatalError() }
public func ioctl(_ fd: CInt, _ request: UInt, _ ptr: UnsafeMutableRawPointer) -> CInt { fatalError() }

public var TIOCGWINSZ: UInt { fatalError() }
public var S_IFMT: mode_t { fatalError() }
public var S_IFDIR: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var S_IFLNK: mode_t { fatalError() }
public var S_IFIFO: mode_t { fatalError() }
public var S_IFSOCK: mode_t { fatalError() }
public var MAP_FAILED: UnsafeMutableRawPointer! { fatalError() }
public var SIG_IGN: (@convention(c) (Int32) -> Void)? { fatalError() }
public var SIG_DFL: (@convention(c) (Int32) -> Void)? { fatalError() }

// Swift 6 refuses these variables of C's in concurrent code; headers hide that they are macros for others.
nonisolated(unsafe) public var stdout: UnsafeMutablePointer<FILE>! = nil
nonisolated(unsafe) public var stderr: UnsafeMutablePointer<FILE>! = nil
