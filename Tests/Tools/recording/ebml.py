"""Reads the elements of a Matroska or WebM file: the video track's codec, its private data, Colour, the first frame."""

import struct

from recording.bits import Unreadable, color

SEGMENT, TRACKS, ENTRY, VIDEO, COLOUR, CLUSTER, GROUP = 0x18538067, 0x1654AE6B, 0xAE, 0xE0, 0x55B0, 0x1F43B675, 0xA0
MASTERS = {SEGMENT, TRACKS, ENTRY, VIDEO, COLOUR, CLUSTER, GROUP}
NUMBER, CODEC, PRIVATE, SIMPLE_BLOCK, BLOCK = 0xD7, 0x86, 0x63A2, 0xA3, 0xA1
MATRIX, RANGE, TRANSFER, PRIMARIES = 0x55B1, 0x55B9, 0x55BA, 0x55BB
CODECS = {"V_MPEG4/ISO/AVC": "h264", "V_MPEGH/ISO/HEVC": "h265", "V_VP8": "vp8", "V_VP9": "vp9", "V_AV1": "av1"}


def variable(view, at, keep_marker):
    """An element's id (with its marker) or size (without); None for a size that is not known."""
    if at >= len(view) or not view[at]:
        raise Unreadable(f"no element at byte {at}")
    length = 9 - view[at].bit_length()
    value = int.from_bytes(view[at : at + length], "big")
    if keep_marker:
        return value, at + length
    value &= (1 << 7 * length) - 1
    return None if value == (1 << 7 * length) - 1 else value, at + length


def elements(view):
    """Id and body of each; an element of unknown size reaches to the end, for it is a live segment or cluster."""
    at = 0
    while at < len(view):
        kind, at = variable(view, at, True)
        size, at = variable(view, at, False)
        end = len(view) if size is None else at + size
        yield kind, view[at:end]
        at = end


def walk(view):
    """All elements within, depth first."""
    for kind, body in elements(view):
        yield kind, body
        if kind in MASTERS:
            yield from walk(body)


def number(body):
    return int.from_bytes(body, "big")


def read_colour(entry):
    found = dict(walk(entry))
    if COLOUR not in found:
        return None
    word = {0: None, 1: False, 2: True}.get(number(found[RANGE])) if RANGE in found else None
    rest = [number(found[kind]) if kind in found else 2 for kind in (PRIMARIES, TRANSFER, MATRIX)]
    return {"kind": "Colour", **color(word, *rest)}


def first_frame(segment, track):
    for kind, body in walk(segment):
        if kind in (SIMPLE_BLOCK, BLOCK):
            owner, at = variable(body, 0, False)
            if owner == track:
                return bytes(body[at + 3 :])
    return None


def read_matroska(view):
    """Codec, configuration record, first frame and Colour of the first video track."""
    segment = next((body for kind, body in elements(view) if kind == SEGMENT), None)
    if segment is None:
        raise Unreadable("Matroska without a segment")
    for kind, entry in walk(segment):
        if kind == ENTRY and any(inner == VIDEO for inner, _ in elements(entry)):
            fields = dict(elements(entry))
            name = bytes(fields[CODEC]).decode("latin1").rstrip("\0")
            private = bytes(fields[PRIVATE]) if PRIVATE in fields else None
            return {"codec": CODECS.get(name, name), "record": private, "frame": first_frame(segment, number(fields[NUMBER])),
                    "color": read_colour(entry)}
        if kind == CLUSTER:
            break
    raise Unreadable("Matroska without a video track")


def is_matroska(view):
    return len(view) > 4 and struct.unpack_from(">I", view)[0] == 0x1A45DFA3
