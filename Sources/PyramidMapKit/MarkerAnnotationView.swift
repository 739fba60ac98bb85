#if canImport(MapKit) && canImport(UIKit)
    import MapKit
    import PyramidClient
    import PyramidTiles

    /// Draws a marker as its ``/PyramidClient/MarkerLook`` says.
    final class MarkerAnnotationView: MKAnnotationView {
        static let identifier = "pyramid.marker"
        private static let outlineWidth = 1.5
        private static let ringWidth = 3.25

        private var look: MarkerLook?
        private let label = UILabel()
        private let symbol = UIImageView()

        override init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
            super.init(annotation: annotation, reuseIdentifier: reuseIdentifier)
            (isOpaque, backgroundColor) = (false, .clear)
            (isAccessibilityElement, accessibilityTraits) = (true, .button)
            (label.textAlignment, label.adjustsFontSizeToFitWidth, label.minimumScaleFactor) = (.center, true, 0.5)
            label.baselineAdjustment = .alignCenters
            label.adjustsFontForContentSizeCategory = true
            label.font = UIFontMetrics.default.scaledFont(
                for: .systemFont(ofSize: 12.5, weight: .semibold), maximumPointSize: 20)
            symbol.contentMode = .scaleAspectFit
            addSubview(label)
            addSubview(symbol)
            registerForTraitChanges([UITraitPreferredContentSizeCategory.self]) { (view: MarkerAnnotationView, _) in
                guard let annotation = view.annotation as? MarkerAnnotation else { return }
                annotation.owner?.draw(annotation)
            }
        }

        @available(*, unavailable)
        required init?(coder: NSCoder) { return nil }

        func show(_ annotation: MarkerAnnotation, _ look: MarkerLook) {
            let title = annotation.title ?? ""
            let spoken = annotation.marker.count > 1 ? "Cluster of \(title)" : title
            canShowCallout = !(annotation.owner?.isOpenedByZooming(annotation) ?? false)
            guard look != self.look || spoken != accessibilityLabel else { return }
            (self.look, accessibilityLabel) = (look, spoken)
            let ringWidth = MarkerAnnotationView.ringWidth
            let (side, inset) = (
                2 * look.radius, MarkerAnnotationView.outlineWidth + (look.slices.isEmpty ? 0 : ringWidth)
            )
            bounds = CGRect(x: 0, y: 0, width: side, height: side)
            let inside = CGRect(x: inset, y: inset, width: max(side - 2 * inset, 0), height: max(side - 2 * inset, 0))
            (label.frame, label.text, label.textColor) = (
                inside, look.symbol == nil ? look.label : nil, .of(look.textColor)
            )
            (symbol.frame, symbol.tintColor) = (inside.insetBy(dx: 1, dy: 1), .of(look.textColor))
            symbol.image = look.symbol.flatMap { UIImage(systemName: $0) }
            setNeedsDisplay()
        }

        /// At another zoom of the map, it may be another.
        override var accessibilityHint: String? {
            get {
                let annotation = annotation as? MarkerAnnotation
                let zoomsIn = annotation.flatMap { $0.owner?.isOpenedByZooming($0) } ?? false
                return zoomsIn ? "Double-tap to zoom in" : nil
            }
            set {}
        }

        override func draw(_ rect: CGRect) {
            guard let look else { return }
            let hasOutline = look.radius >= 4
            let inside = hasOutline ? look.radius - MarkerAnnotationView.outlineWidth : look.radius
            if hasOutline { fill(look.radius, look.outline) }
            let total = look.slices.reduce(0) { $0 + $1.count }
            guard total > 0 else { return fill(inside, look.color) }
            var from = -Double.pi / 2
            for slice in look.slices {
                let to = from + 2 * .pi * Double(slice.count) / Double(total)
                fill(inside, slice.color, from: from, to: to)
                from = to
            }
            if inside >= 6 { fill(inside - MarkerAnnotationView.ringWidth, look.color) }
        }

        private func fill(
            _ radius: Double, _ color: MarkerColor, from: Double = 0, to: Double = 2 * .pi
        ) {
            let center = CGPoint(x: Double(bounds.midX), y: Double(bounds.midY))
            let path = UIBezierPath(
                arcCenter: center, radius: CGFloat(radius), startAngle: CGFloat(from), endAngle: CGFloat(to),
                clockwise: true)
            if to - from < 2 * .pi { path.addLine(to: center) }
            UIColor.of(color).setFill()
            path.fill()
        }

        /// At least 40 points wide, but not over other markers.
        override func point(inside point: CGPoint, with event: UIEvent?) -> Bool {
            if bounds.contains(point) { return true }
            let margin = max(20 - Double(bounds.width) / 2, 0)
            guard bounds.insetBy(dx: CGFloat(-margin), dy: CGFloat(-margin)).contains(point) else { return false }
            return superview?.subviews.contains {
                $0 is MarkerAnnotationView && $0.bounds.contains(convert(point, to: $0))
            } == false
        }

        // Apps' delegates don't forward taps.
        override func setSelected(_ selected: Bool, animated: Bool) {
            guard let annotation = annotation as? MarkerAnnotation, let owner = annotation.owner else {
                return super.setSelected(selected, animated: animated)
            }
            if selected, canShowCallout { owner.fillCallout(of: annotation, self) }
            super.setSelected(selected, animated: animated)
            // MapKit is in the middle of its change of the selection.
            Task {
                if selected { owner.activate(annotation) } else { owner.didDeselect(annotation) }
            }
        }
    }

    extension UIColor {
        /// Light or dark with the map.
        static func of(_ color: MarkerColor) -> UIColor {
            UIColor { traits in
                let color = traits.userInterfaceStyle == .dark ? color.dark : color.light
                func part(_ shift: UInt32) -> CGFloat { CGFloat(Double(color >> shift & 0xff) / 255) }
                return UIColor(red: part(16), green: part(8), blue: part(0), alpha: 1)
            }
        }
    }
#endif
