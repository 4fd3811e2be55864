"""Reads what VP9 says of colour: the key frame's uncompressed header, and the record vpcC of ISO files."""

from recording.bits import Bits, Unreadable, color

# color_space of the VP9 bitstream specification 7.2.2, as matrix of ISO/IEC 23091-2.
MATRICES = {0: 2, 1: 5, 2: 1, 3: 6, 4: 7, 5: 9, 7: 0}


def parse_vp9_frame(data):
    """Range and matrix: the stream has no word for transfer and primaries. None for what is no key frame."""
    bits = Bits(data[:16], "the VP9 frame header")
    if bits.u(2) != 2:
        raise Unreadable("a VP9 frame does not begin with its marker")
    profile = bits.u(1) | bits.u(1) << 1
    if profile == 3:
        bits.u(1)
    if bits.flag() or bits.flag():
        return None
    bits.u(2)
    if bits.u(24) != 0x498342:
        raise Unreadable("a VP9 key frame lacks its sync code")
    if profile >= 2:
        bits.u(1)
    space = bits.u(3)
    return color(True if space == 7 else bits.flag(), matrix=MATRICES.get(space, 2))


def parse_vpcc(body):
    """VP codec configuration record; `body` begins at the box's version."""
    bits = Bits(body[:12], "vpcC")
    bits.u(32), bits.u(16), bits.u(7)
    return color(bits.flag(), bits.u(8), bits.u(8), bits.u(8))
