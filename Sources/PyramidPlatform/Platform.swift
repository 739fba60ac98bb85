// Re-exports the C library and Foundation. Files import this module instead of Foundation.
//
// On Linux that is FoundationEssentials: the rest of Foundation needs ICU's tables, which add 40 MB to a statically
// linked program and cost most of its start-up time. `make darwin-test` compiles with all of Foundation, as on
// Apple's systems.
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

/// The number of files and sockets that this process may have open.
package var descriptorLimit: Int {
    var limit = rlimit()
    #if canImport(Glibc)
        let code = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #else
        let code = getrlimit(RLIMIT_NOFILE, &limit)
    #endif
    return code == 0 ? Int(clamping: limit.rlim_cur) : 256
}
