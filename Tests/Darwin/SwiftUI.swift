// What PyramidMapKit and its example take from SwiftUI.
@_exported import UIKit

/// MapKit's for SwiftUI, which a file that imports both sees.
public struct Marker {}

@MainActor public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}

extension App {
    public static func main() {}
}

@MainActor public protocol Scene {}

@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
}

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

/// A view without a body of its own.
public protocol Primitive: View where Body == Never {}
extension Primitive {
    public var body: Never { return fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { return fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<repeat each Content> { fatalError() }
    public static func buildEither<First: View, Second: View>(first: First) -> Conditional<First, Second> {
        fatalError()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> Conditional<First, Second> {
        fatalError()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

public struct TupleView<each Content: View>: Primitive {}
public struct Conditional<First: View, Second: View>: Primitive {}

public struct Text: Primitive {
    public init(_ text: some StringProtocol) {}
}

public struct Toggle<Label: View>: Primitive {
    public init(_ title: some StringProtocol, isOn: Binding<Bool>) where Label == Text {}
}

public struct Alignment: Sendable {
    public static let bottom = Alignment()
}

public struct ZStack<Content: View>: Primitive {
    public init(alignment: Alignment, @ViewBuilder content: () -> Content) {}
}

public struct VStack<Content: View>: Primitive {
    public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Elements: RandomAccessCollection, ID: Hashable, Content: View>: Primitive {
    public init(
        _ elements: Elements, id: KeyPath<Elements.Element, ID>,
        @ViewBuilder content: @escaping (Elements.Element) -> Content
    ) {}
}

public struct Picker<Value: Hashable, Content: View>: Primitive {
    public init(_ title: some StringProtocol, selection: Binding<Value>, @ViewBuilder content: () -> Content) {}
}

public struct Material: Sendable {
    public static let regularMaterial = Material()
}

public protocol Shape: Sendable {}
public struct Capsule: Shape {}
extension Shape where Self == Capsule {
    public static var capsule: Capsule { Capsule() }
}
public protocol ShapeStyle: Sendable {}
extension Material: ShapeStyle {}
extension ShapeStyle where Self == Material {
    public static var regularMaterial: Material { Material() }
}

extension View {
    public func ignoresSafeArea() -> some View { self }
    public func background(_ style: some ShapeStyle, in shape: some Shape) -> some View { self }
    public func tag(_ value: some Hashable) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { fatalError() }
}

extension State where Value: ExpressibleByNilLiteral {
    public init() {}
}

@MainActor public struct Binding<Value> {
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

@MainActor public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator
    typealias Context = UIViewRepresentableContext<Self>
    func makeCoordinator() -> Coordinator
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
}

extension UIViewRepresentable {
    public var body: Never { return fatalError() }
}

@MainActor public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public var coordinator: Representable.Coordinator { fatalError() }
}
