"""Glyphs of digits for MapLibre, https://github.com/mapbox/node-fontnik#readme: enough to draw counts without a font server."""

import math

# Seven rows of five pixels.
SHAPES = {
    "0": "01110 10001 10011 10101 11001 10001 01110",
    "1": "00100 01100 00100 00100 00100 00100 01110",
    "2": "01110 10001 00001 00110 01000 10000 11111",
    "3": "01110 10001 00001 00110 00001 10001 01110",
    "4": "00010 00110 01010 10010 11111 00010 00010",
    "5": "11111 10000 11110 00001 00001 10001 01110",
    "6": "01110 10000 11110 10001 10001 10001 01110",
    "7": "11111 00001 00010 00100 01000 01000 01000",
    "8": "01110 10001 10001 01110 10001 10001 01110",
    "9": "01110 10001 10001 01111 00001 00001 01110",
    "k": "10000 10000 10010 10100 11000 10100 10010",
    ".": "00000 00000 00000 00000 00000 01100 01100",
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
    rows = ["".join(bit * SCALE for bit in row) for row in shape.split() for _ in range(SCALE)]
    width, height = len(rows[0]), len(rows)
    every = [(y, x) for y in range(-BORDER, height + BORDER) for x in range(-BORDER, width + BORDER)]
    inside = {(y, x) for y, x in every if 0 <= y < height and 0 <= x < width and rows[y][x] == "1"}
    outside = set(every) - inside

    def value(pixel):
        others, sign = (outside, 1) if pixel in inside else (inside, -1)
        return int(192 + 256 / RADIUS * sign * (min(math.dist(pixel, other) for other in others) - 0.5))

    return bytes(min(max(value(pixel), 0), 255) for pixel in every)


def glyph_range(font):
    glyphs = b""
    for character, shape in SHAPES.items():
        width, height = 5 * SCALE, 7 * SCALE
        # The top is 26 units below what MapLibre counts from, as zigzag: -8.
        glyphs += field(
            3,
            field(1, ord(character))
            + field(2, bitmap(shape))
            + field(3, width)
            + field(4, height)
            + field(5, 0)
            + field(6, 2 * 8 - 1)
            + field(7, width + SCALE),
        )
    return field(1, field(1, font.encode()) + field(2, b"0-255") + glyphs)
