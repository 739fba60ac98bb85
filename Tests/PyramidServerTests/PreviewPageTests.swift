import Foundation
import PyramidWeb
import Testing

@testable import PyramidServer

@Suite struct PreviewPageTests {
    /// What a browser reads of a page's settings: the text up to the first end of a script.
    private func settings(of page: [UInt8]) throws -> [String: Any] {
        let text = String(decoding: page, as: UTF8.self)
        let opening = #"<script id="settings" type="application/json">"#
        let start = try #require(text.range(of: opening)).upperBound
        let end = try #require(text[start...].range(of: "</script")).lowerBound
        let object = try JSONSerialization.jsonObject(with: Data(text[start..<end].utf8))
        return try #require(object as? [String: Any])
    }

    @Test(arguments: [
        "plain", "</script><script>alert(1)</script>", "<!-- <script>", "a \"b\" \\ c", "/* preview.js */",
        "ü\n\u{2028}",
    ])
    func `no name and no attribution breaks out of the page`(text: String) throws {
        let basemap = Basemap(template: "https://a/{z}/{x}/{y}", attribution: text)
        let page = PreviewPage.html(leaflet: nil, directoryName: text, basemap: basemap)
        let found = try settings(of: page)
        #expect(found["name"] as? String == text)
        #expect(found["basemap"] as? [String: String] == ["template": basemap.template, "attribution": text])
        let plain = PreviewPage.html(leaflet: nil)
        #expect(try settings(of: plain)["basemap"] == nil)
        // The script is the same.
        let script = { (page: [UInt8]) in
            String(decoding: page, as: UTF8.self).components(separatedBy: #"<script type="module">"#).last
        }
        #expect(script(page) == script(plain))
    }

    @Test func `the coasts, borders and cities are in the page, and small`() throws {
        #expect(try #require(EmbeddedFiles.texts["world.js"]).utf8.count < 80_000)
        let page = String(decoding: PreviewPage.html(leaflet: nil), as: UTF8.self)
        for city in ["Istanbul", "São Paulo", "Chișinău"] { #expect(page.contains(" \(city)\"")) }
    }

    @Test func `modules see what they import, and nothing else of one another`() {
        let script = ModuleScript.text(
            of: "page.js",
            among: [
                "page.js": "import { one as first, two } from \"../lib/a.js\";\nconst own = first + two;",
                "a.js": """
                import { deep } from "./b.js";
                export const one = deep();
                const own = 2;
                let two = own;
                export { two };
                """,
                "b.js": """
                // A comment.
                /** A comment
                 * of three lines.
                 */
                export async function deep() {
                  // Another one.
                  /** @type {number} */ const kept = 1; // to the end
                  /** @returns {number} */
                  return f(() => import("./c.js"));
                }
                export class Other {}
                """,
                "c.js": "export const late = 3;",
                "unused.js": "",
            ])
        let expected = """
            const modules = {};
            modules["c.js"] = (() => {
            const late = 3;
            return { late };
            })();
            modules["b.js"] = (() => {
            async function deep() {
              /** @type {number} */ const kept = 1; // to the end
              return f(() => Promise.resolve(modules["c.js"]));
            }
            class Other {}
            return { deep, Other };
            })();
            modules["a.js"] = (() => {
            const { deep } = modules["b.js"];
            const one = deep();
            const own = 2;
            let two = own;

            return { one, two };
            })();
            modules["page.js"] = (() => {
            const { one: first, two } = modules["a.js"];
            const own = first + two;
            return {  };
            })();
            """
        #expect(script == expected)
    }

    @Test func `every module of the library that the program brings along is in the page`() {
        let page = String(decoding: PreviewPage.html(leaflet: nil), as: UTF8.self)
        for name in WebLibrary.modules.keys { #expect(page.contains("modules[\"\(name)\"] = (")) }
        #expect(!page.contains("\nimport ") && !page.contains("\nexport "))
    }

    @Test(arguments: [
        "https://tile.openstreetmap.org/{z}/{x}/{y}.png", "https://{s}.tile.openstreetmap.org/{z}/{x}/{y}{r}.png",
        "https://TILE.openstreetmap.ORG/{z}/{x}/{-y}.png",
    ])
    func `the credit of OpenStreetMap is known`(template: String) {
        let basemap = Basemap(template: template)
        #expect(basemap.problem == nil)
        #expect(basemap.shownAttribution?.contains("https://www.openstreetmap.org/copyright") == true)
        #expect(Basemap(template: template, attribution: "Other").shownAttribution == "Other")
    }

    @Test(
        arguments: [
            ("https://tiles.example/{z}/{x}/{y}.png", .noAttribution),
            ("https://openstreetmap.org.example/{z}/{x}/{y}.png", .noAttribution),
            ("https://notopenstreetmap.org/{z}/{x}/{y}.png", .noAttribution),
            ("https://tile.openstreetmap.org/{z}/{x}.png", .noURLOfTiles),
            ("https://tile.openstreetmap.org/", .noURLOfTiles),
            ("tile.openstreetmap.org/{z}/{x}/{y}.png", .noURLOfTiles),
            ("javascript://tile.openstreetmap.org/{z}/{x}/{y}", .noURLOfTiles),
            ("https://tile.openstreetmap.org/{z}/{x}/{y}.png#\"", .noURLOfTiles),
            ("https://tile.openstreetmap.org/{z}/{x}/{y}.png?k={key}", .unknownPlaceholder("{key}")),
        ] as [(String, Basemap.Problem)])
    func `a basemap that can't be shown or credited is refused`(template: String, problem: Basemap.Problem) {
        #expect(Basemap(template: template).problem == problem)
    }

    @Test func `a credit of one's own is taken as it is, also an empty one and with a key in the template`() {
        let template = "https://{s}.tiles.example/{z}/{x}/{-y}{r}.png?key=a&b=c"
        for text in ["", "© Example"] {
            let basemap = Basemap(template: template, attribution: text)
            #expect(basemap.problem == nil && basemap.shownAttribution == text)
        }
    }
}
