"""Asks ffprobe, and reads the test picture from decoded frames as they are stored: counters, grey bars, colour bars."""

import json
import subprocess
import tempfile

GREYS = (0, 16, 64, 128, 192, 235, 250, 255)
COLORS = ((255, 255, 255), (255, 255, 0), (0, 255, 255), (0, 255, 0), (255, 0, 255), (255, 0, 0), (0, 0, 255), (0, 0, 0))
COLOR_NAMES = ("white", "yellow", "cyan", "green", "magenta", "red", "blue", "black")
SAMPLING = {"yuv420p": (2, 2), "yuvj420p": (2, 2), "yuv422p": (2, 1), "yuvj422p": (2, 1), "yuv444p": (1, 1), "yuvj444p": (1, 1)}
ROWS = 4  # rows of strip, grey bars and colour bars that are looked at


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def probe(path, count=True):
    """What ffprobe says; the frames are not decoded and counted where somebody else does that."""
    counting = ["-count_frames"] if count else []
    done = run("ffprobe", "-v", "error", *counting, "-show_streams", "-show_format", "-of", "json", path)
    found = json.loads(done.stdout or b"{}")
    video = next((item for item in found.get("streams", []) if item.get("codec_type") == "video"), None)
    if video is None:
        return None
    fields = ("codec_name", "profile", "level", "pix_fmt", "width", "height", "avg_frame_rate", "r_frame_rate", "color_range", "color_space",
              "color_transfer", "color_primaries", "has_b_frames", "duration", "start_time", "nb_frames", "nb_read_frames", "bit_rate")
    out = {field: video.get(field) for field in fields}
    out["nb_read_frames"] = int(out["nb_read_frames"] or 0)
    out["duration"] = float(out["duration"] or found["format"].get("duration") or 0)
    out["format"] = found["format"].get("format_name")
    out["audio"] = [{field: item.get(field) for field in ("codec_name", "sample_rate", "channels", "duration", "start_time", "nb_frames")}
                    for item in found["streams"] if item.get("codec_type") == "audio"]
    out["errors"] = done.stderr.decode(errors="replace").strip().splitlines()[:5]
    return out


def rows_of(path, pix_fmt, width, height, complaints):
    """Yields four rows each of the strip, the grey and the colour bars of every frame, as stored: never range-converted. What the
    decoder has to say against them goes into a file."""
    middle = max((32 + height) // 2 // 16 * 16, 32)
    tops = [at // 2 * 2 for at in (min(6, height // 60), (32 + middle) // 2 - 2, (middle + height) // 2 - 2)]
    crops = "".join(f"[p{i}]crop=iw:{ROWS}:0:{top}:exact=1[c{i}];" for i, top in enumerate(tops))
    convert = "" if pix_fmt in SAMPLING else "format=yuv420p,"
    graph = f"[0:v:0]{convert}split=3[p0][p1][p2];{crops}[c0][c1][c2]vstack=3[out]"
    command = ["ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-filter_complex", graph, "-map", "[out]",
               "-fps_mode", "passthrough", "-f", "rawvideo", "-"]
    across, down = SAMPLING.get(pix_fmt, (2, 2))
    wide, tall = -(-width // across), 3 * ROWS // down
    size = width * 3 * ROWS + 2 * wide * tall
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints) as decoder:
        while len(frame := decoder.stdout.read(size)) == size:
            yield Rows(frame, width, wide, tall)


class Rows:
    def __init__(self, data, width, wide, tall):
        luma = width * 3 * ROWS
        chroma = wide * tall
        self.planes = ((data[:luma], width, 3 * ROWS), (data[luma : luma + chroma], wide, tall), (data[luma + chroma :], wide, tall))

    def mean(self, plane, band, center, reach):
        """Average of a few samples around `center` (0..1 of the width) in band 0 (strip), 1 (grey) or 2 (colour)."""
        data, width, height = self.planes[plane]
        rows, x = height // 3, min(max(int(center * width), reach), width - reach - 1)
        found = [sample for row in range(band * rows, (band + 1) * rows) for sample in data[row * width + x - reach : row * width + x + reach + 1]]
        return sum(found) / len(found)

    def counter(self):
        """The frame's number, or None when the check byte is wrong."""
        word = 0
        for cell in range(32):
            word = word << 1 | (self.mean(0, 0, (cell + 0.5) / 32, 1) >= 128)
        number = word >> 8
        return number if (number >> 16 ^ number >> 8 ^ number ^ 0xA5) & 0xFF == word & 0xFF else None


def count_frames(counters):
    out = {"first": None, "last": None, "count": len(counters), "lost": 0, "lostList": [], "repeated": 0, "reordered": 0, "restarts": 0,
           "unreadable": counters.count(None)}
    readable = [number for number in counters if number is not None]
    if readable:
        out["first"], out["last"] = readable[0], readable[-1]
    highest = readable[0] if readable else 0
    for before, number in zip(readable, readable[1:]):
        if number == before:
            out["repeated"] += 1
        elif number < before and before - number > 64:
            out["restarts"], highest = out["restarts"] + 1, number  # the camera was started anew
        elif number < before:
            out["reordered"] += 1
        elif number > highest + 1:
            out["lost"] += number - highest - 1
            out["lostList"] += list(range(highest + 1, number))[: 50 - len(out["lostList"])]
        highest = max(highest, number)
    return out


def expected(rgb, wide, matrix):
    kr, kb = (0.2126, 0.0722) if matrix == 709 else (0.299, 0.114)
    luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
    cb, cr = (rgb[2] - luma) / (2 * (1 - kb)), (rgb[0] - luma) / (2 * (1 - kr))
    exact = (luma, 128 + cb, 128 + cr) if wide else (16 + luma * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255)
    return tuple(min(255, max(0, int(value + 0.5))) for value in exact)


def judge_picture(looked_at):
    """Bars of the frames looked at, and how far they are from each range and matrix that they could be in."""
    greys = [[rows.mean(0, 1, (bar + 0.5) / 8, 2) for bar in range(8)] for rows in looked_at]
    colors = [[[rows.mean(plane, 2, (bar + 0.5) / 8, 2) for plane in range(3)] for bar in range(8)] for rows in looked_at]
    out = {"framesLookedAt": len(looked_at), "grey": [], "color": [], "expected": {}}
    for bar in range(8):
        values = [frame[bar] for frame in greys]
        out["grey"].append({"level": GREYS[bar], "luma": round(values[0], 1), "min": round(min(values), 1), "max": round(max(values), 1)})
        triples = [frame[bar] for frame in colors]
        out["color"].append({"name": COLOR_NAMES[bar], "ycbcr": [round(value, 1) for value in triples[0]],
                             "min": [round(min(t[i] for t in triples), 1) for i in range(3)],
                             "max": [round(max(t[i] for t in triples), 1) for i in range(3)]})
    for wide in (True, False):
        for matrix in (601, 709):
            luma = max(abs(frame[bar] - expected((GREYS[bar],) * 3, wide, matrix)[0]) for frame in greys for bar in range(8))
            color = max(abs(frame[bar][i] - expected(COLORS[bar], wide, matrix)[i]) for frame in colors for bar in range(8) for i in range(3))
            name = f"{'full' if wide else 'limited'}{matrix}"
            out["expected"][name] = {"grey": round(luma, 1), "color": round(color, 1), "max": round(max(luma, color), 1)}
    out["closest"] = min(out["expected"], key=lambda name: out["expected"][name]["max"])
    return out


def pixels(path, found, every):
    """What the frames show, decoded once; how many there are, and what the decoder said, go into what was found before."""
    counters, looked_at = [], []
    with tempfile.TemporaryFile() as complaints:
        for number, rows in enumerate(rows_of(path, found["pix_fmt"], found["width"], found["height"], complaints)):
            counters.append(rows.counter())
            if number % every == 0:
                looked_at.append(rows)
        complaints.seek(0)
        found["errors"] += complaints.read().decode(errors="replace").strip().splitlines()[:5]
    found["nb_read_frames"] = len(counters) or probe(path)["nb_read_frames"]  # a picture can be too small for the strip
    return count_frames(counters), judge_picture(looked_at) if looked_at else None
