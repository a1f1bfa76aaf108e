"""What a drawing may hold, as data: elements, attributes, and functions in values.

Nothing here runs, loads, links out of the file or restyles what is around it.
"""


def names(text: str) -> frozenset[str]:
    """Names written as a sentence."""
    return frozenset(text.split())


ELEMENTS = names(
    "svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text "
    "tspan textPath image marker clipPath mask pattern linearGradient radialGradient stop filter "
    "feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting "
    "feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR "
    "feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting "
    "feSpotLight feTile feTurbulence animate animateMotion animateTransform mpath set"
)
ANIMATIONS = names("animate animateTransform set")
TEXTS = names("text tspan textPath title desc")  # where characters are part of the drawing

# Properties of CSS that are attributes as well; of these, a child takes over its parent's.
INHERITED = names(
    "clip-rule color color-interpolation color-interpolation-filters cursor direction "
    "dominant-baseline fill fill-opacity fill-rule font-family font-size font-size-adjust "
    "font-stretch font-style font-variant font-weight image-rendering letter-spacing marker-end "
    "marker-mid marker-start paint-order shape-rendering stroke stroke-dasharray "
    "stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity "
    "stroke-width text-anchor text-rendering visibility white-space word-spacing writing-mode"
) - {"cursor"}
PROPERTIES = INHERITED | names(
    "alignment-baseline baseline-shift clip-path display filter flood-color flood-opacity "
    "lighting-color mask mask-type opacity overflow stop-color stop-opacity text-decoration "
    "transform transform-box transform-origin unicode-bidi vector-effect"
)
GEOMETRY = names("cx cy height r rx ry width x y")

ATTRIBUTES = (
    PROPERTIES
    | GEOMETRY
    | names(
        # shapes, texts and what is painted with
        "clipPathUnits d dx dy fr fx fy gradientTransform gradientUnits lengthAdjust "
        "markerHeight markerUnits markerWidth maskContentUnits maskUnits method offset orient "
        "pathLength patternContentUnits patternTransform patternUnits points preserveAspectRatio "
        "refX refY rotate side spacing spreadMethod startOffset textLength viewBox x1 x2 y1 y2 "
        # filters
        "amplitude azimuth baseFrequency bias diffuseConstant divisor edgeMode elevation exponent "
        "filterUnits in in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength "
        "limitingConeAngle mode numOctaves operator order pointsAtX pointsAtY pointsAtZ "
        "preserveAlpha primitiveUnits radius result scale seed slope specularConstant "
        "specularExponent stdDeviation stitchTiles surfaceScale tableValues targetX targetY type "
        "values xChannelSelector yChannelSelector z "
        # animations
        "accumulate additive attributeName begin by calcMode dur end from keyPoints keySplines "
        "keyTimes max min path repeatCount repeatDur restart to"
    )
)
ANIMATED = ATTRIBUTES - names("attributeName")
REFERRING = names("use textPath mpath linearGradient radialGradient pattern filter")

FUNCTIONS = names(
    "rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp "
    "matrix translate translatex translatey scale scalex scaley rotate skewx skewy url "
    "blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia "
    "inset circle ellipse polygon"
)
EMBEDDED = names("image/png image/jpeg image/gif image/webp image/avif")
