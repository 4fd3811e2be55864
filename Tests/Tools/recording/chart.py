"""Judges the colour chart that Tests/FakeCamera/chart.c paints: 256 grey levels and thirty patches, against their RGB truth."""

import subprocess

STRIP, CELL, CELLS, LEVELS = 32, 8, 40, 256
PATCH_FROM, PATCH_WIDTH, PATCH_HEIGHT, PATCHES = 64, 32, 48, 10
WIDTH, HEIGHT = 320, 208
TRUTH = (
    ((255, 0, 0), (0, 255, 0), (0, 0, 255), (0, 255, 255), (255, 0, 255), (255, 255, 0), (255, 255, 255), (0, 0, 0), (64, 64, 64), (192, 192, 192)),
    ((197, 140, 133), (94, 60, 46), (234, 192, 134), (87, 108, 67), (98, 122, 157), (214, 126, 44), (191, 0, 0), (0, 191, 0), (0, 0, 191), (133, 128, 177)),
    ((32, 0, 0), (0, 32, 0), (0, 0, 32), (12, 20, 8), (255, 224, 224), (224, 255, 224), (224, 224, 255), (250, 248, 240), (128, 0, 128), (0, 128, 128)),
)
SAMPLING = {"yuv420p": (2, 2), "yuvj420p": (2, 2), "yuv422p": (2, 1), "yuvj422p": (2, 1), "yuv444p": (1, 1), "yuvj444p": (1, 1)}
WEIGHTS = {601: (0.299, 0.114), 709: (0.2126, 0.0722)}


def ideal(rgb, wide, matrix):
    """Y'CbCr of ITU-R BT.601 or BT.709 at 8 bits, not rounded."""
    kr, kb = WEIGHTS[matrix]
    luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2]
    cb, cr = (rgb[2] - luma) / (2 * (1 - kb)), (rgb[0] - luma) / (2 * (1 - kr))
    return (luma, 128 + cb, 128 + cr) if wide else (16 + luma * 219 / 255, 128 + cb * 224 / 255, 128 + cr * 224 / 255)


def scale(width, height):
    return min(width // WIDTH, (height - STRIP) // HEIGHT)


def cells(width, height):
    """Level, and place of each of its cells as left, top, side."""
    side = CELL * scale(width, height)
    return [(level, level % CELLS * side, STRIP + level // CELLS * side, side) for level in range(LEVELS)]


def patches(width, height):
    """RGB, and place of each patch as left, top, width, height."""
    s = scale(width, height)
    return [(rgb, column * PATCH_WIDTH * s, STRIP + (PATCH_FROM + row * PATCH_HEIGHT) * s, PATCH_WIDTH * s, PATCH_HEIGHT * s)
            for row, line in enumerate(TRUTH) for column, rgb in enumerate(line)]


class Plane:
    """One plane of samples; `step` is their distance in bytes, `down` how much smaller than the picture it is."""

    def __init__(self, data, stride, down=(1, 1), step=1, first=0):
        self.data, self.stride, self.down, self.step, self.first = data, stride, down, step, first

    def rows(self, left, top, width, height):
        (across, down), step = self.down, self.step
        left, width = left // across * step + self.first, width // across * step
        for y in range(top // down, (top + height) // down):
            yield self.data[y * self.stride + left : y * self.stride + left + width : step]

    def mean(self, left, top, width, height):
        """Of the inner half, where no filter of codec or player reaches from the neighbours."""
        rows = list(self.rows(left + width // 4, top + height // 4, width // 2, height // 2))
        return sum(map(sum, rows)) / sum(map(len, rows))

    def extremes(self, *place):
        rows = list(self.rows(*place))
        return min(map(min, rows)), max(map(max, rows))


class Errors:
    """How far from the truth: on average, at most, and where the most was."""

    def __init__(self):
        self.all, self.worst, self.place = [], 0, None

    def add(self, error, place):
        self.all.append(abs(error))
        if abs(error) > self.worst:
            self.worst, self.place = abs(error), f"{place} {error:+.1f}"

    def report(self):
        return {"mean": round(sum(self.all) / len(self.all), 2), "max": round(self.worst, 2), "worst": self.place}


def judge_ycbcr(planes, width, height, wide, matrix):
    """Levels by the mean of their cells and by each single sample, patches by the mean of each of their samples' kinds."""
    levels, samples, colors = Errors(), Errors(), Errors()
    for level, left, top, side in cells(width, height):
        truth = ideal((level,) * 3, wide, matrix)[0]
        levels.add(planes[0].mean(left, top, side, side) - truth, f"level {level}")
        for sample in planes[0].extremes(left, top, side, side):
            samples.add(sample - truth, f"level {level}")
    for rgb, *place in patches(width, height):
        for name, plane, truth in zip(("Y", "Cb", "Cr"), planes, ideal(rgb, wide, matrix)):
            colors.add(plane.mean(*place) - truth, f"{name} of {rgb}")
    return {"levels": levels.report(), "samples": samples.report(), "patches": colors.report()}


def judge_rgb(data, stride, channels, width, height):
    """What a player shows, in bytes R G B (A) row by row, with a picture of `width` x `height` at its upper left, unscaled."""
    planes = [Plane(data, stride, step=channels, first=place) for place in range(3)]
    levels, colors = Errors(), Errors()
    for level, left, top, side in cells(width, height):
        for name, plane in zip("RGB", planes):
            levels.add(plane.mean(left, top, side, side) - level, f"{name} of level {level}")
    for rgb, *place in patches(width, height):
        for name, plane, truth in zip("RGB", planes, rgb):
            colors.add(plane.mean(*place) - truth, f"{name} of {rgb}")
    return {"levels": levels.report(), "patches": colors.report()}


def pictures(path, pix_fmt, width, height):
    """Planes of each frame as stored: ffmpeg converts nothing where the pixel format stays."""
    across, down = SAMPLING[pix_fmt]
    wide, tall = -(-width // across), -(-height // down)
    luma, chroma = width * height, wide * tall
    command = ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-noautorotate", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough",
               "-f", "rawvideo", "-pix_fmt", pix_fmt, "-"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as decoder:
        while len(frame := decoder.stdout.read(luma + 2 * chroma)) == luma + 2 * chroma:
            yield [Plane(frame[:luma], width), Plane(frame[luma : luma + chroma], wide, (across, down)),
                   Plane(frame[luma + chroma :], wide, (across, down))]


def judge_chart(path, found, wide, matrix):
    """The worst of all frames, for each kind of error."""
    if found["pix_fmt"] not in SAMPLING:
        return {"frames": 0, "unreadable": found["pix_fmt"]}
    size = (found["width"], found["height"])
    judged = [judge_ycbcr(planes, *size, wide, matrix) for planes in pictures(path, found["pix_fmt"], *size)]
    out = {"frames": len(judged)}
    for kind in ("levels", "samples", "patches") if judged else ():
        worst = max((frame[kind] for frame in judged), key=lambda errors: errors["max"])
        out[kind] = {**worst, "mean": max(frame[kind]["mean"] for frame in judged)}
    return out
