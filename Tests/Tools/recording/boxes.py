"""Reads the boxes of an MP4, whole, fragmented or cut short: tracks, samples, avcC and colr."""

import struct
from fractions import Fraction

from recording.bits import Unreadable
from recording.sps import parse_sps

CONTAINERS = {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"moof", b"traf", b"mvex", b"udta"}


class Box:
    def __init__(self, kind, body, truncated, at=0):
        self.kind, self.body, self.truncated, self.at = kind, body, truncated, at
        self.children = list(boxes(body)) if kind in CONTAINERS else []

    def find(self, *path):
        """The first box at a path of kinds, or None."""
        found = next((box for box in self.children if box.kind == path[0]), None)
        return found if len(path) == 1 or found is None else found.find(*path[1:])

    def all(self, kind):
        return [box for box in self.children if box.kind == kind]


def boxes(view):
    at = 0
    while at + 8 <= len(view):
        size, kind = struct.unpack_from(">I4s", view, at)
        head = 8
        if size == 1 and at + 16 <= len(view):
            size, head = struct.unpack_from(">Q", view, at + 8)[0], 16
        if size == 0:
            size = len(view) - at
        if size < head:
            raise Unreadable(f"a box {kind!r} claims {size} bytes")
        yield Box(kind, view[at + head : at + size], at + size > len(view), at)
        at += size


def full(box):
    """Version, flags and the rest of a box that has them."""
    word = struct.unpack_from(">I", box.body)[0]
    return word >> 24, word & 0xFFFFFF, box.body[4:]


def clock(box):
    """Timescale and duration of mvhd or mdhd."""
    version, _, body = full(box)
    return struct.unpack_from(">IQ", body, 16) if version else struct.unpack_from(">II", body, 8)


def edits(trak):
    box = trak.find(b"edts", b"elst")
    if box is None:
        return []
    version, _, body = full(box)
    form, out = (">QqI" if version else ">IiI"), []
    for index in range(struct.unpack_from(">I", body)[0]):
        span, time, rate = struct.unpack_from(form, body, 4 + index * struct.calcsize(form))
        out.append({"segmentDuration": span, "mediaTime": time, "rate": rate / 65536})
    return out


def table(stbl, kind, form):
    box = stbl.find(kind)
    if box is None:
        return None
    body, width = full(box)[2], struct.calcsize(form)
    return [struct.unpack_from(form, body, 4 + index * width) for index in range(struct.unpack_from(">I", body)[0])]


def indexed_samples(stbl):
    """Deltas, key flags and composition offsets of the samples that moov lists."""
    deltas = [delta for count, delta in table(stbl, b"stts", ">II") or [] for _ in range(count)]
    keys = table(stbl, b"stss", ">I")
    key_set = None if keys is None else {number for (number,) in keys}
    offsets = [offset for count, offset in table(stbl, b"ctts", ">Ii") or [] for _ in range(count)]
    return [(delta, key_set is None or number in key_set, offsets[number - 1] if offsets else 0) for number, delta in enumerate(deltas, 1)]


def stored_samples(stbl):
    box = stbl.find(b"stsz")
    return struct.unpack_from(">I", full(box)[2], 4)[0] if box else 0


def run_samples(trun, duration, flags):
    _, has, body = full(trun)
    count, at, out = struct.unpack_from(">I", body)[0], 4, []
    at += 4 if has & 1 else 0
    first, at = (struct.unpack_from(">I", body, at)[0], at + 4) if has & 4 else (None, at)
    fields = [bit for bit in (0x100, 0x200, 0x400, 0x800) if has & bit]
    for number in range(count):
        if at + 4 * len(fields) > len(body):
            break
        row = dict(zip(fields, struct.unpack_from(f">{len(fields)}i", body, at)))
        at += 4 * len(fields)
        flag = first if number == 0 and first is not None else row.get(0x400, flags) & 0xFFFFFFFF
        out.append((row.get(0x100, duration), not flag & 0x10000, row.get(0x800, 0)))
    return out


def fragment_samples(traf, defaults):
    _, has, body = full(traf.find(b"tfhd"))
    at, values = 4 + (8 if has & 1 else 0) + (4 if has & 2 else 0), list(defaults)
    for place, bit in enumerate((0x8, 0x10, 0x20)):
        if has & bit:
            values[place], at = struct.unpack_from(">I", body, at)[0], at + 4
    return [sample for trun in traf.all(b"trun") for sample in run_samples(trun, values[0], values[2])]


def fragments(top, moov, track_id):
    """Samples of each moof of one track; the last fragment may be cut short."""
    defaults, out = (0, 0, 0), []
    for trex in moov.find(b"mvex").all(b"trex") if moov.find(b"mvex") else []:
        values = struct.unpack_from(">IIIII", full(trex)[2])
        defaults = values[2:] if values[0] == track_id else defaults
    for place, moof in enumerate(top):
        if moof.kind != b"moof" or moof.truncated:
            continue
        for traf in moof.all(b"traf"):
            if struct.unpack_from(">I", full(traf.find(b"tfhd"))[2])[0] == track_id:
                data = top[place + 1] if place + 1 < len(top) else None
                cut = data is None or data.kind != b"mdat" or data.truncated
                out.append((fragment_samples(traf, defaults), cut))
    return out


def timing(samples, scale):
    deltas = [delta for delta, _, _ in samples]
    body = deltas[:-1] or deltas  # the last delta is a guess of the muxer
    keys = [number for number, (_, key, _) in enumerate(samples, 1) if key]
    starts, at = [], 0
    for delta in deltas:
        starts.append(at)
        at += delta
    key_times = [starts[number - 1] for number in keys] + [at]
    return {
        "samples": len(samples),
        "sampleDuration": float(Fraction(at, scale)),
        "deltas": sorted(set(body)),
        "lastDelta": deltas[-1] if deltas else None,
        "minGap": min(body) / scale if body else None,
        "maxGap": max(body) / scale if body else None,
        "compositionOffsets": len({offset for _, _, offset in samples}) > 1,
        "keyFrames": keys,
        "maxKeyFrameDistance": max((b - a for a, b in zip(key_times, key_times[1:])), default=0) / scale,
    }


def track(trak, top, moov):
    version, _, head = full(trak.find(b"tkhd"))
    track_id = struct.unpack_from(">I", head, 16 if version else 8)[0]
    scale, length = clock(trak.find(b"mdia", b"mdhd"))
    stbl = trak.find(b"mdia", b"minf", b"stbl")
    entry = Box(b"stsd", full(stbl.find(b"stsd"))[2][4:], False)
    entry = next(boxes(entry.body))
    parts = fragments(top, moov, track_id)
    samples = indexed_samples(stbl) + [sample for part, _ in parts for sample in part]
    out = {
        "handler": bytes(full(trak.find(b"mdia", b"hdlr"))[2][4:8]).decode("latin1"),
        "sampleEntry": entry.kind.decode("latin1"),
        "timescale": scale,
        "duration": length / scale,
        "durationUnits": length,
        "editList": edits(trak),
        "stszSamples": stored_samples(stbl),
        "hasCtts": stbl.find(b"ctts") is not None,
        **timing(samples, scale),
        "fragments": [{"samples": len(part), "duration": sum(s[0] for s in part) / scale, "truncated": cut} for part, cut in parts],
    }
    if out["handler"] == "vide":
        out["width"], out["height"] = struct.unpack_from(">HH", entry.body, 24)
        out["extensions"] = {box.kind: box for box in boxes(entry.body[78:])}
    return out


def parse_avcc(box):
    body = box.body
    out = {"profile": body[1], "compatibility": body[2], "level": body[3], "lengthSize": (body[4] & 3) + 1, "spsCount": body[5] & 31}
    if not out["spsCount"]:
        return out, None, None
    length = struct.unpack_from(">H", body, 6)[0]
    sps, vui = parse_sps(body[8 : 8 + length])
    out["chromaFormat"] = sps["chromaFormat"]
    return out, sps, vui


def parse_colr(box):
    kind = bytes(box.body[:4]).decode("latin1")
    out = {"kind": kind, "size": len(box.body) + 8, "primaries": None, "transfer": None, "matrix": None, "fullRange": None}
    if kind in ("nclx", "nclc"):
        out["primaries"], out["transfer"], out["matrix"] = struct.unpack_from(">HHH", box.body, 4)
    if kind == "nclx" and len(box.body) > 10:  # 18 bytes in all: the range byte is missing
        out["fullRange"] = bool(box.body[10] & 0x80)
    return out


def read_mp4(view):
    top = list(boxes(view))
    kinds = [box.kind.decode("latin1") for box in top]
    moov = next((box for box in top if box.kind == b"moov" and not box.truncated), None)
    out = {"boxes": {"order": kinds, "moofs": kinds.count("moof"), "sidx": kinds.count("sidx"), "fragmented": "moof" in kinds,
                     "truncated": any(box.truncated for box in top), "hasIndex": moov is not None}}
    if moov is None:
        return out
    scale, length = clock(moov.find(b"mvhd"))
    out["movie"] = {"timescale": scale, "duration": length / scale, "durationUnits": length}
    tracks = [track(trak, top, moov) for trak in moov.all(b"trak")]
    video = next((item for item in tracks if item["handler"] == "vide"), None)
    out["otherTracks"] = [item for item in tracks if item is not video]
    if video:
        extensions = video.pop("extensions")
        out["track"] = video
        if b"avcC" in extensions:
            out["avcC"], out["sps"], out["vui"] = parse_avcc(extensions[b"avcC"])
        if b"colr" in extensions:
            out["colr"] = parse_colr(extensions[b"colr"])
    for item in tracks:
        item.pop("extensions", None)
    return out


CODECS = {b"avc1": "h264", b"avc3": "h264", b"hvc1": "h265", b"hev1": "h265", b"vp08": "vp8", b"vp09": "vp9", b"av01": "av1"}
RECORDS = (b"avcC", b"hvcC", b"vpcC", b"av1C")


def fragment_place(top):
    """Where the first fragment's first sample lies, and how long it is."""
    moof = next((box for box in top if box.kind == b"moof"), None)
    traf = moof.find(b"traf") if moof else None
    if traf is None:
        return None
    _, has, head = full(traf.find(b"tfhd"))
    base = struct.unpack_from(">Q", head, 4)[0] if has & 1 else moof.at
    _, has, body = full(traf.find(b"trun"))
    offset = struct.unpack_from(">i", body, 4)[0] if has & 1 else 0
    place = 4 + (4 if has & 1 else 0) + (4 if has & 4 else 0) + (4 if has & 0x100 else 0)
    return base + offset, struct.unpack_from(">I", body, place)[0] if has & 0x200 else None


def indexed_place(stbl):
    """The same of a file with an index."""
    chunks = table(stbl, b"stco", ">I") or table(stbl, b"co64", ">Q")
    sizes = stbl.find(b"stsz")
    if not chunks or sizes is None:
        return None
    same, count = struct.unpack_from(">II", full(sizes)[2])
    return (chunks[0][0], same or struct.unpack_from(">I", full(sizes)[2], 8)[0]) if count else None


def read_video_entry(view):
    """Codec, configuration record, first frame and colr of the first video track."""
    top = list(boxes(view))
    moov = next((box for box in top if box.kind == b"moov" and not box.truncated), None)
    traks = moov.all(b"trak") if moov else []
    trak = next((trak for trak in traks if bytes(full(trak.find(b"mdia", b"hdlr"))[2][4:8]) == b"vide"), None)
    if trak is None:
        raise Unreadable("no index, or no video track in it")
    stbl = trak.find(b"mdia", b"minf", b"stbl")
    entry = next(boxes(full(stbl.find(b"stsd"))[2][4:]))
    inner = {box.kind: box for box in boxes(entry.body[78:])}
    record = next((bytes(inner[kind].body) for kind in RECORDS if kind in inner), None)
    place = indexed_place(stbl) or fragment_place(top)
    frame = bytes(view[place[0] :] if place[1] is None else view[place[0] : sum(place)]) if place else None
    said = parse_colr(inner[b"colr"]) if b"colr" in inner else None
    return {"codec": CODECS.get(entry.kind, entry.kind.decode("latin1")), "record": record, "frame": frame, "color": said}
