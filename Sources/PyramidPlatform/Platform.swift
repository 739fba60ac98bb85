// The system's C library and what pyramid uses of Foundation: files import this module instead of Foundation.
//
// On Linux, FoundationEssentials is a module of its own. The rest of Foundation brings the tables of ICU along, which are
// 40 MB in a program that has Swift's libraries in it, and most of the time that it takes to start. `make darwin-check`
// compiles with all of it, as on Apple's systems.
#if canImport(FoundationEssentials) && !WHOLE_FOUNDATION
    @_exported import Dispatch
    @_exported import FoundationEssentials
    #if canImport(Glibc)
        @_exported import Glibc
    #else
        @_exported import Musl
    #endif
#else
    @_exported import Foundation
#endif

/// How many files and sockets this process may have open.
package var descriptorLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
        let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
        let code = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return code == 0 ? Int(clamping: limit.rlim_cur) : 256
}
