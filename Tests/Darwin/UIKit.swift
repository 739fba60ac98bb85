// What the samples of the articles take from UIKit, CoreGraphics and QuartzCore.
@_exported import Foundation

public struct CGFloat: Hashable, Comparable, Sendable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(floatLiteral value: Double) {}
    public init(integerLiteral value: Int) {}
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
}

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    public init(frame: CGRect) {}
    public override convenience init() { fatalError() }
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

@MainActor public final class UILabel: UIView {
    public var adjustsFontSizeToFitWidth: Bool {
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
