// What PyramidMapKit and the samples of the articles take from UIKit, CoreGraphics and QuartzCore.
@_exported import Foundation

public struct CGFloat: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(floatLiteral value: Double) {}
    public init(integerLiteral value: Int) {}
    public init(_ value: Double) { fatalError() }
    public static func < (left: CGFloat, right: CGFloat) -> Bool { fatalError() }
}

extension Double {
    public init(_ value: CGFloat) { fatalError() }
}

public struct CGPoint: Sendable {
    public init(x: Double, y: Double) {}
}

public struct CGSize: Sendable {
    public var width, height: CGFloat
}

public struct CGRect: Sendable {
    public init(x: Double, y: Double, width: Double, height: Double) {}
    public var size: CGSize { fatalError() }
    public var width: CGFloat { fatalError() }
    public var height: CGFloat { fatalError() }
    public var midX: CGFloat { fatalError() }
    public var midY: CGFloat { fatalError() }
    public func contains(_ point: CGPoint) -> Bool { fatalError() }
    public func insetBy(dx: CGFloat, dy: CGFloat) -> CGRect { fatalError() }
}

open class CALayer: NSObject {
    public var cornerRadius: CGFloat {
        get { fatalError() }
        set { fatalError() }
    }
}

public final class CATransaction: NSObject {
    public class func begin() {}
    public class func commit() {}
    public class func setAnimationDuration(_ duration: TimeInterval) {}
}

public final class UIColor: NSObject, @unchecked Sendable {
    public class var systemBlue: UIColor { fatalError() }
    public class var systemRed: UIColor { fatalError() }
    public class var white: UIColor { fatalError() }
    public class var clear: UIColor { fatalError() }
    public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
    public init(dynamicProvider: @escaping (UITraitCollection) -> UIColor) {}
    public func setFill() {}
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }

@MainActor public final class UITraitCollection: NSObject {
    nonisolated public var userInterfaceStyle: UIUserInterfaceStyle { fatalError() }
}

public protocol UITraitDefinition {}
public enum UITraitPreferredContentSizeCategory: UITraitDefinition {}
public typealias UITrait = any UITraitDefinition.Type
public protocol UITraitChangeRegistration {}
public protocol UITraitChangeObservable {}
extension UITraitChangeObservable {
    @MainActor @discardableResult public func registerForTraitChanges<Observed: UITraitChangeObservable>(
        _ traits: [UITrait], handler: @escaping @MainActor (Observed, UITraitCollection) -> Void
    ) -> any UITraitChangeRegistration { fatalError() }
}

public final class UIFont: NSObject, @unchecked Sendable {
    public struct Weight: Sendable {
        public static let semibold = Weight()
    }
    public struct TextStyle: Sendable {
        public static let footnote = TextStyle()
    }
    public class func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { fatalError() }
    public class func preferredFont(forTextStyle style: TextStyle) -> UIFont { fatalError() }
}

public final class UIFontMetrics: NSObject, @unchecked Sendable {
    public class var `default`: UIFontMetrics { fatalError() }
    public func scaledFont(for font: UIFont, maximumPointSize: CGFloat) -> UIFont { fatalError() }
    public func scaledValue(for value: CGFloat) -> CGFloat { fatalError() }
}

public final class UIImage: NSObject, @unchecked Sendable {
    public init?(systemName name: String) {}
}

@MainActor public final class UIBezierPath: NSObject {
    public convenience init(
        arcCenter center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool
    ) { fatalError() }
    public func addLine(to point: CGPoint) {}
    public func fill() {}
}

@MainActor public enum UIAccessibility {
    public static var isReduceMotionEnabled: Bool { fatalError() }
}

public struct UIAccessibilityTraits: OptionSet, Sendable {
    public let rawValue: UInt64
    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public static let button = UIAccessibilityTraits(rawValue: 1)
}

@MainActor open class UIResponder: NSObject {
    public var isAccessibilityElement: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public var accessibilityLabel: String?
    open var accessibilityHint: String?
    public var accessibilityTraits: UIAccessibilityTraits {
        get { fatalError() }
        set { fatalError() }
    }
}

@MainActor open class UIView: UIResponder, UITraitChangeObservable {
    public enum ContentMode: Int, Sendable { case scaleAspectFit }
    public init(frame: CGRect) {}
    public required init?(coder: NSCoder) {}
    public override convenience init() { fatalError() }
    open func draw(_ rect: CGRect) {}
    open func point(inside point: CGPoint, with event: UIEvent?) -> Bool { fatalError() }
    public func addSubview(_ view: UIView) {}
    public func setNeedsDisplay() {}
    public var contentMode: ContentMode {
        get { fatalError() }
        set { fatalError() }
    }
    public var frame: CGRect {
        get { fatalError() }
        set { fatalError() }
    }
    public var isOpaque: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public var tintColor: UIColor! {
        get { fatalError() }
        set { fatalError() }
    }
    public var window: UIWindow? { fatalError() }
    public var superview: UIView? { fatalError() }
    public var subviews: [UIView] { fatalError() }
    public func convert(_ point: CGPoint, to view: UIView?) -> CGPoint { fatalError() }
    public class func animate(withDuration: TimeInterval, animations: @escaping () -> Void) {}
    public class func animate(
        withDuration: TimeInterval, animations: @escaping () -> Void, completion: ((Bool) -> Void)? = nil
    ) {}
    public var backgroundColor: UIColor?
    public var bounds: CGRect {
        get { fatalError() }
        set { fatalError() }
    }
    public var clipsToBounds: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public var layer: CALayer { fatalError() }
}

@MainActor public final class UIEvent: NSObject {}
@MainActor public final class UIWindow: UIView {}

@MainActor public final class UIImageView: UIView {
    public var image: UIImage?
}

public enum UIBaselineAdjustment: Int, Sendable { case alignCenters }

@MainActor public final class UILabel: UIView {
    public var adjustsFontForContentSizeCategory: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public var adjustsFontSizeToFitWidth: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    public var baselineAdjustment: UIBaselineAdjustment {
        get { fatalError() }
        set { fatalError() }
    }
    public var font: UIFont!
    public var minimumScaleFactor: CGFloat {
        get { fatalError() }
        set { fatalError() }
    }
    public var numberOfLines: Int {
        get { fatalError() }
        set { fatalError() }
    }
    public var text: String?
    public var textAlignment: NSTextAlignment {
        get { fatalError() }
        set { fatalError() }
    }
    public var textColor: UIColor! {
        get { fatalError() }
        set { fatalError() }
    }
}

public enum NSTextAlignment: Int, Sendable { case left, center, right }

@MainActor open class UIViewController: UIResponder {
    open var view: UIView! {
        get { fatalError() }
        set { fatalError() }
    }
    open func loadView() {}
    open func viewDidLoad() {}
}
