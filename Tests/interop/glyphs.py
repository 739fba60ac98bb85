"""Glyphs of digits for MapLibre, https://github.com/mapbox/node-fontnik#readme: enough to draw counts without a font server."""

import numpy

# Seven rows of five pixels.
SHAPES = {
    "0": "01110 10001 10011 10101 11001 10001 01110", "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111", "3": "01110 10001 00001 00110 00001 10001 01110",
    "4": "00010 00110 01010 10010 11111 00010 00010", "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "01110 10000 11110 10001 10001 10001 01110", "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110", "9": "01110 10001 10001 01111 00001 00001 01110",
    "k": "10000 10000 10010 10100 11000 10100 10010", ".": "00000 00000 00000 00000 00000 01100 01100",
}
SCALE, BORDER, RADIUS = 2, 3, 8


def varint(value):
    found = b""
    while value > 127:
        value, found = value >> 7, found + bytes([value & 127 | 128])
    return found + bytes([value])


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


def bitmap(shape):
    """Distances to the shape's border, as the format has them: 192 on it, more inside."""
    pixels = numpy.kron(numpy.array([[int(bit) for bit in row] for row in shape.split()]), numpy.ones((SCALE, SCALE), int))
    pixels = numpy.pad(pixels, BORDER)
    rows, columns = numpy.indices(pixels.shape)

    def distance(value):
        y, x = numpy.nonzero(pixels == value)
        return numpy.sqrt((rows[..., None] - y) ** 2 + (columns[..., None] - x) ** 2).min(-1)

    signed = numpy.where(pixels, distance(0) - 0.5, 0.5 - distance(1))
    return numpy.clip(192 + 256 / RADIUS * signed, 0, 255).astype("uint8").tobytes()


def glyph_range(font):
    glyphs = b""
    for character, shape in SHAPES.items():
        width, height = 5 * SCALE, 7 * SCALE
        # The top is 26 units below what MapLibre counts from, as zigzag: -8.
        glyphs += field(3, field(1, ord(character)) + field(2, bitmap(shape)) + field(3, width) + field(4, height)
                        + field(5, 0) + field(6, 2 * 8 - 1) + field(7, width + SCALE))
    return field(1, field(1, font.encode()) + field(2, b"0-255") + glyphs)
