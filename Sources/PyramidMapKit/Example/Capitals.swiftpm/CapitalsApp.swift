import PyramidClient
import PyramidMapKit
import SwiftUI

/// A map of the tileset that the article "iOS with MapKit" builds from `Input/capitals.csv`, with a menu of continents.
@main
struct CapitalsApp: App {
    var body: some Scene {
        WindowGroup { CapitalsView() }
    }
}

struct CapitalsView: View {
    @State private var tiles: RemoteTiles?
    @State private var counts: [FacetValueCounts] = []
    @State private var continent: FacetValue?
    @State private var selection: MarkerID?
    @State private var problem = ""

    var body: some View {
        ZStack(alignment: .bottom) {
            if let tiles {
                PyramidMap(
                    tiles: tiles, filter: continent.map { MarkerFilter(["continent": [$0]]) } ?? .all,
                    style: MarkerStyle(colorBy: "continent", colors: MarkerStyle.colors(of: counts)),
                    selection: $selection
                ) { _, markers in
                    markers.onError = { problem = "\($0)" }
                }
                .ignoresSafeArea()
                Picker("Continent", selection: $continent) {
                    Text("All continents").tag(FacetValue?.none)
                    ForEach(counts, id: \.value) { count in
                        Text("\(name(of: count.value)) (\(count.all))").tag(Optional(count.value))
                    }
                }
                .background(.regularMaterial, in: .capsule)
            }
            Text(problem)
        }
        .task { await load() }
    }

    private func name(of value: FacetValue) -> String {
        if case .value(.string(let name)) = value { name } else { "other" }
    }

    private func load() async {
        guard let url = URL(string: "http://127.0.0.1:8080/") else { return }
        do {
            let tiles = try await RemoteTiles(at: url)
            counts = try await tiles.counts(of: "continent")
            self.tiles = tiles
        } catch {
            problem = "The tileset can't be read: \(error)"
        }
    }
}
