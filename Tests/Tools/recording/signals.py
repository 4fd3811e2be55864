"""All that a file says of its colour, place by place, and where two places contradict each other."""

import struct

from recording.av1 import sequence_colors
from recording.bits import Unreadable, color
from recording.boxes import read_video_entry
from recording.ebml import is_matroska, read_matroska
from recording.hevc import parse_hevc_sps
from recording.sps import parse_sps
from recording.vp9 import parse_vp9_frame, parse_vpcc

FIELDS = ("fullRange", "primaries", "transfer", "matrix")
# ffprobe's words as ISO/IEC 23091-2 numbers.
RANGES = {"pc": True, "tv": False}
PRIMARIES = {"bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "film": 8, "bt2020": 9}
TRANSFERS = {"bt709": 1, "bt470m": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "linear": 8, "iec61966-2-1": 13, "bt2020-10": 14,
             "smpte2084": 16, "arib-std-b67": 18}
MATRICES = {"gbr": 0, "bt709": 1, "fcc": 4, "bt470bg": 5, "smpte170m": 6, "smpte240m": 7, "bt2020nc": 9}


def avc_color(sps):
    _, vui = parse_sps(sps)
    if not vui or not vui["signalType"]:
        return color()
    return color(vui["fullRange"], *(2 if vui[field] is None else vui[field] for field in FIELDS[1:]))


def avc_sets(record):
    """Sequence parameter sets of AVCDecoderConfigurationRecord (ISO/IEC 14496-15 5.3.3)."""
    at, sets = 6, []
    for _ in range(record[5] & 31):
        size = struct.unpack_from(">H", record, at)[0]
        sets.append(record[at + 2 : at + 2 + size])
        at += 2 + size
    return sets


def hevc_sets(record):
    """Those of HEVCDecoderConfigurationRecord (ISO/IEC 14496-15 8.3.3)."""
    at, sets = 23, []
    for _ in range(record[22]):
        kind, count = record[at] & 63, struct.unpack_from(">H", record, at + 1)[0]
        at += 3
        for _ in range(count):
            size = struct.unpack_from(">H", record, at)[0]
            sets += [record[at + 2 : at + 2 + size]] if kind == 33 else []
            at += 2 + size
    return sets


def units(frame, width):
    """NAL units of a frame that has their lengths before them."""
    at = 0
    while at + width <= len(frame):
        size = int.from_bytes(frame[at : at + width], "big")
        yield frame[at + width : at + width + size]
        at += width + size


def headers_of_avc(record, frame):
    width = (record[4] & 3) + 1
    return [("record", avc_color(sps)) for sps in avc_sets(record)] + [
        ("frame", avc_color(unit)) for unit in units(frame or b"", width) if unit and unit[0] & 31 == 7]


def headers_of_hevc(record, frame):
    width = (record[21] & 3) + 1
    return [("record", parse_hevc_sps(sps) or color()) for sps in hevc_sets(record)] + [
        ("frame", parse_hevc_sps(unit) or color()) for unit in units(frame or b"", width) if unit and unit[0] >> 1 & 63 == 33]


def headers_of_av1(record, frame):
    return [("record", said) for said in sequence_colors((record or b"")[4:])] + [("frame", said) for said in sequence_colors(frame or b"")]


def headers_of_vp9(record, frame):
    said = parse_vp9_frame(frame) if frame else None
    # Matroska's private data of VP9 are features of another shape, without colour.
    boxed = [("record", parse_vpcc(record))] if record and len(record) >= 12 else []
    return boxed + ([("frame", said)] if said else [])


HEADERS = {"h264": headers_of_avc, "h265": headers_of_hevc, "av1": headers_of_av1, "vp9": headers_of_vp9}


def probe_color(probe):
    if not probe:
        return None
    return color(RANGES.get(probe["color_range"]), PRIMARIES.get(probe["color_primaries"], 2),
                 TRANSFERS.get(probe["color_transfer"], 2), MATRICES.get(probe["color_space"], 2))


def read_signals(view, probe):
    """Stream headers wherever they stand, the container's own word, and ffprobe's view of both."""
    video = read_matroska(view) if is_matroska(view) else read_video_entry(view)
    parse = HEADERS.get(video["codec"])
    said = parse(video["record"], video["frame"]) if parse else []
    if parse and not said:
        raise Unreadable(f"no {video['codec']} header was found")
    out = {"codec": video["codec"], "headers": [{"place": place, **what} for place, what in said], "container": video["color"],
           "probe": probe_color(probe)}
    # The frame's own header is what a decoder believes; what it has no word for stands in the record.
    out["stream"] = {field: next((what[field] for _, what in reversed(said) if what[field] is not None), None) for field in FIELDS}
    out["disagreements"] = disagreements(out)
    return out


def disagreements(signals):
    """`field: place says this, place says that`, for each field on which two places that have a word for it differ."""
    places = [(item["place"], item) for item in signals["headers"]]
    places += [(name, signals[name]) for name in ("container", "probe") if signals[name]]
    out = []
    for field in FIELDS:
        words = {}
        for place, said in places:
            if said[field] is not None:
                words.setdefault(said[field], []).append(place)
        if len(words) > 1 and not (field == "matrix" and set(words) == {5, 6}):  # two numbers of BT.601's one matrix
            out.append(f"{field}: " + ", ".join(f"{' and '.join(places)} {value}" for value, places in words.items()))
    return out
