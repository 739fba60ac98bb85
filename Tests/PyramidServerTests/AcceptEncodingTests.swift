import Testing

@testable import PyramidServer

@Suite struct AcceptEncodingTests {
    @Test(arguments: [
        "gzip", "x-gzip", "GZip", "gzip, deflate, br, zstd", "deflate;q=0.5,gzip;q=0.1", "*", "*;q=0.3",
        "gzip ; q=1.000",
        "br,gzip;Q=0.8", "gzip;q=1, identity;q=0.5", "identity;q=0.5, *;q=0.5",
    ])
    func `gzip is welcome`(field: String) {
        #expect(AcceptEncoding(field).acceptsGzip)
    }

    @Test(arguments: [
        nil, "", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=1, gzip;q=0", "identity, gzip;q=0.5", "*;q=0",
        "gzipped",
        "gzip;q=-1", "gzip;q=2", "gzip;q=", "gzip;q=nan", ",;,",
    ])
    func `gzip is not welcome`(field: String?) {
        #expect(!AcceptEncoding(field).acceptsGzip)
    }
}
