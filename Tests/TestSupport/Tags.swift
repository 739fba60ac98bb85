import Testing

extension Tag {
    /// Suites that start the program, open sockets or try many tilesets. `make check` leaves them out.
    @Tag package static var slow: Self
    /// Suites that use several threads. `make races` runs them under the thread sanitizer.
    @Tag package static var threads: Self
}
