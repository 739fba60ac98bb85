// The system's C library and what pyramid uses of Foundation: files import this module instead of Foundation.
//
// On Linux, FoundationEssentials is a module of its own. The rest of Foundation brings the tables of ICU along, which are
// 40 MB in a program that has Swift's libraries in it, and most of the time that it takes to start.
#if canImport(FoundationEssentials)
    @_exported import Dispatch
    @_exported import FoundationEssentials
    @_exported import Glibc
#else
    @_exported import Foundation
#endif
