"""Reads an AV1 sequence header bit by bit (AV1 specification 5.5), as far as its colour."""

from recording.bits import Bits, Unreadable, color

SEQUENCE_HEADER = 1


def open_units(data):
    """Type and payload of each OBU of a low-overhead stream."""
    at, data = 0, bytes(data)
    while at < len(data):
        head, at = data[at], at + (2 if data[at] & 4 else 1)
        size = len(data) - at
        if head & 2:
            size, at = leb128(data, at)
        if at + size > len(data):
            raise Unreadable("an AV1 unit reaches past its frame")
        yield head >> 3 & 15, data[at : at + size]
        at += size


def leb128(data, at):
    value = 0
    for place in range(8):
        if at + place >= len(data):
            break
        value |= (data[at + place] & 127) << 7 * place
        if data[at + place] < 128:
            return value, at + place + 1
    raise Unreadable("an AV1 unit's length does not end")


def sequence_colors(data):
    """What each sequence header of a frame or of `configOBUs` says."""
    return [parse_sequence_header(payload) for kind, payload in open_units(data) if kind == SEQUENCE_HEADER]


def parse_sequence_header(data):
    bits = Bits(data, "the AV1 sequence header")
    profile, _, reduced = bits.u(3), bits.u(1), bits.flag()
    if reduced:
        bits.u(5)
    else:
        skip_operating_points(bits)
    wide, tall = bits.u(4) + 1, bits.u(4) + 1
    bits.u(wide), bits.u(tall)
    if not reduced and bits.flag():
        bits.u(7)
    bits.u(3)
    if not reduced:
        skip_tools(bits)
    bits.u(3)
    return read_color(bits, profile)


def skip_operating_points(bits):
    delay_bits = 0
    if bits.flag():
        bits.u(64)
        if bits.flag():
            bits.ue()  # uvlc() is Exp-Golomb by another name
        if bits.flag():
            delay_bits = bits.u(5) + 1
            bits.u(42)
    display_delay = bits.flag()
    for _ in range(bits.u(5) + 1):
        bits.u(12)
        if bits.u(5) > 7:
            bits.u(1)
        if delay_bits and bits.flag():
            bits.u(2 * delay_bits + 1)
        if display_delay and bits.flag():
            bits.u(4)


def skip_tools(bits):
    bits.u(4)
    order = bits.flag()
    if order:
        bits.u(2)
    screen = 2 if bits.flag() else bits.u(1)
    if screen and not bits.flag():
        bits.u(1)
    if order:
        bits.u(3)


def read_color(bits, profile):
    deep = bits.flag()
    if profile == 2 and deep:
        bits.u(1)
    if profile != 1:
        bits.u(1)
    primaries, transfer, matrix = (bits.u(8), bits.u(8), bits.u(8)) if bits.flag() else (2, 2, 2)
    is_srgb = (primaries, transfer, matrix) == (1, 13, 0)
    return color(True if is_srgb else bits.flag(), primaries, transfer, matrix)
