import Foundation

/// The beginnings and ends of files that real programs wrote: pyarrow, GDAL, SQLite, pyshp, openpyxl, zip, gzip, bzip2, xz
/// and zstd. In the middle of long ones there is nothing that matters.
enum ForeignFiles {
    static let all: [(file: String, format: String, bytes: [UInt8])] = [
        (
            "p.parquet", "a Parquet file",
            bytes(
                "UEFSMRUEFSA=")
        ),
        (
            "g.gpkg", "a GeoPackage",
            bytes(
                """
                U1FMaXRlIGZvcm1hdCAzABAAAQEAQCAgAAAACgAAABwAAAAAAAAAAAAAACMAAAAEAAAAAAAAAAAAAAABAAAn2AAAAABHUEtHAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAAKAC5jAQ==
                """)
        ),
        (
            "d.sqlite", "an SQLite database",
            bytes(
                """
                U1FMaXRlIGZvcm1hdCAzABAAAQEAQCAgAAAAAgAAAAIAAAAAAAAAAAAAAAEAAAAEAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAA\
                AAAAAAAAAAAAAAAAAAAAAAAAAAACAC5jAQ==
                """)
        ),
        (
            "s.shp", "a shapefile",
            bytes(
                "AAAnCgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQOgDAAA=")
        ),
        (
            "s.dbf", "a dBase table, as beside a shapefile",
            bytes(
                "A34LFgEAAABBADMAAAAAAAAAAAAAAAAAAAAAAAAAAABuAAAAAAAAAAAAAEMAAAAAMgAAAAAAAAAAAAAAAAAAAA0g")
        ),
        (
            "g.fgb", "a FlatGeobuf file",
            bytes(
                "ZmdiA2ZnYgEcEQAAJAAAAA==")
        ),
        (
            "x.xlsx", "an Excel file (xlsx)",
            bytes(
                """
                UEsDBBQAAAAIABofdl1Gx01IlQAAAM0AAAAQAAAAZG9jUHJvcHMvYXBwLnhtbE3PTQvCMAwG4L9SdreZih6kDlBLAQIUAxQAAAAI\
                ABofdl1Gx01IlQAAAM0AAAAQAAAAAAAAAAAAAACAAQAAAABkb2NQcm9wcy9hcHAueG1sUEsBAhQDFAAAAAgAGh92XXGzjL/qAAAA\
                ywEAABEAAAAAAAAAAAAAAIABwwAAAGRvY1Byb3BzL2NvcmUueG1sUEsBAhQDFAAAAAgAGh92XZlcnCMQBgAAnCcAABMAAAAAAAAA\
                AAAAAIAB3AEAAHhsL3RoZW1lL3RoZW1lMS54bWxQSwECFAMUAAAACAAaH3Zda+qBIWkBAADZAgAAGAAAAAAAAAAAAAAAgIEdCAAA\
                eGwvd29ya3NoZWV0cy9zaGVldDEueG1sUEsBAhQDFAAAAAgAGh92XdIF8UZSAgAARwoAAA0AAAAAAAAAAAAAAIABvAkAAHhsL3N0\
                eWxlcy54bWxQSwECFAMUAAAACAAaH3Zdt0frisAAAAAWAgAACwAAAAAAAAAAAAAAgAE5DAAAX3JlbHMvLnJlbHNQSwECFAMUAAAA\
                CAAaH3Zd5LBr7jABAAAoAgAADwAAAAAAAAAAAAAAgAEiDQAAeGwvd29ya2Jvb2sueG1sUEsBAhQDFAAAAAgAGh92XTPr47qtAAAA\
                +wEAABoAAAAAAAAAAAAAAIABfw4AAHhsL19yZWxzL3dvcmtib29rLnhtbC5yZWxzUEsBAhQDFAAAAAgAGh92XZuGQoQbAQAA1wMA\
                ABMAAAAAAAAAAAAAAIABZA8AAFtDb250ZW50X1R5cGVzXS54bWxQSwUGAAAAAAkACQA+AgAAsBAAAAAA
                """)
        ),
        (
            "k.kmz", "a KMZ file",
            bytes(
                """
                UEsDBBQAAAAAABofdl1bT0bfsAAAALAAAAAHAAAAZG9jLmttbDw/eG1sIHZlcnNpb249IjEuMCIgZW5jb2RpblBLAQIUAxQAAAAA\
                ABofdl1bT0bfsAAAALAAAAAHAAAAAAAAAAAAAACkgQAAAABkb2Mua21sUEsFBgAAAAABAAEANQAAANUAAAAAAA==
                """)
        ),
        (
            "shape.zip", "a zipped shapefile",
            bytes(
                """
                UEsDBBQAAAAAABofdl37UvXcgAAAAIAAAAALAAAAc2hhcGUvcy5zaHAAACcKAAAAAAAAAAAAAAAAAAAAAAAAAFBLAQIUAxQAAAAA\
                ABofdl37UvXcgAAAAIAAAAALAAAAAAAAAAAAAACkgQAAAABzaGFwZS9zLnNocFBLAQIUAxQAAAAAABofdl0JO62ebAAAAGwAAAAL\
                AAAAAAAAAAAAAACkgakAAABzaGFwZS9zLnNoeFBLAQIUAxQAAAAAABofdl12zGqFdAAAAHQAAAALAAAAAAAAAAAAAACkgT4BAABz\
                aGFwZS9zLmRiZlBLBQYAAAAAAwADAKsAAADbAQAAAAA=
                """)
        ),
        (
            "z.zip", "a ZIP archive",
            bytes(
                """
                UEsDBBQAAAAAABofdl2bu1CdmQAAAJkAAAAIAAAAYmFzZS5jc3ZpZCxuYW1lLGxhdCxsb24scHJpY2UKMSxDYVBLAQIUAxQAAAAA\
                ABofdl2bu1CdmQAAAJkAAAAIAAAAAAAAAAAAAACkgQAAAABiYXNlLmNzdlBLBQYAAAAAAQABADYAAAC/AAAAAAA=
                """)
        ),
        (
            "o.ods", "an OpenDocument spreadsheet",
            bytes(
                """
                UEsDBBQAAAAAAEcgdl2FbDmKLgAAAC4AAAAIAAAAbWltZXR5cGVhcHBsaWNhdGlvbi92bmQub2FzaXMub3BlbmRvY3VtZW50LnNw\
                cmVhZHNoZWV0UEsBAhQDFAAAAAAA
                """)
        ),
        (
            "gz2.csv.gz", "gzip data within gzip data",
            bytes(
                "H4sIAAVoAmsC/w3J")
        ),
        (
            "b.csv.bz2", "bzip2 data",
            bytes(
                "QlpoOTFBWSZTWb7MT7YAAA==")
        ),
        (
            "b.csv.xz", "xz data",
            bytes(
                "/Td6WFoAAATm1rRGAgAhAQ==")
        ),
        (
            "b.csv.zst", "Zstandard data",
            bytes(
                "KLUv/SSZNQQAkokgI5C16Q==")
        ),
    ]

    private static func bytes(_ base64: String) -> [UInt8] { Data(base64Encoded: base64).map { [UInt8]($0) } ?? [] }
}
