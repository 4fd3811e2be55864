"""Reads an H.265 sequence parameter set bit by bit (ITU-T H.265 7.3.2.2), as far as the colour in its VUI."""

from recording.bits import Bits, color


def parse_hevc_sps(data):
    """What the SPS says of colour, or None when it says nothing; `data` with its two-byte NAL unit header."""
    bits = Bits.of_nal_unit(data[2:], "the H.265 SPS")
    bits.u(4)
    layers = bits.u(3)
    bits.u(1)
    skip_profile(bits, layers)
    bits.ue()
    if bits.ue() == 3:
        bits.u(1)
    bits.ue(), bits.ue()
    if bits.flag():
        [bits.ue() for _ in range(4)]
    bits.ue(), bits.ue()
    order_bits = bits.ue() + 4
    first = 0 if bits.flag() else layers
    [bits.ue() for _ in range(3 * (layers + 1 - first))]
    [bits.ue() for _ in range(6)]
    if bits.flag() and bits.flag():
        skip_scaling(bits)
    bits.u(2)
    if bits.flag():
        bits.u(8), bits.ue(), bits.ue(), bits.u(1)
    skip_reference_sets(bits)
    if bits.flag():
        [bits.u(order_bits + 1) for _ in range(bits.ue())]
    bits.u(2)
    return read_vui(bits) if bits.flag() else None


def skip_profile(bits, layers):
    bits.u(96)
    present = [bits.u(2) for _ in range(8 if layers else 0)][:layers]
    for flags in present:
        bits.u((88 if flags & 2 else 0) + (8 if flags & 1 else 0))


def skip_scaling(bits):
    for size in range(4):
        for _ in range(2 if size == 3 else 6):
            if not bits.flag():
                bits.ue()
                continue
            [bits.se() for _ in range(min(64, 16 << 2 * size) + (size > 1))]


def skip_reference_sets(bits):
    count = 0
    for index in range(bits.ue()):
        if index and bits.flag():
            bits.u(1), bits.ue()
            count = sum(1 for _ in range(count + 1) if bits.flag() or bits.flag())
        else:
            count = bits.ue() + bits.ue()
            [(bits.ue(), bits.u(1)) for _ in range(count)]


def read_vui(bits):
    if bits.flag() and bits.u(8) == 255:
        bits.u(32)
    if bits.flag():
        bits.u(1)
    if not bits.flag():
        return color()
    bits.u(3)
    wide = bits.flag()
    return color(wide, bits.u(8), bits.u(8), bits.u(8)) if bits.flag() else color(wide, 2, 2, 2)
