"""Tests of the judge of the colour chart, on charts that are drawn here: right ones, and ones with a known fault."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from recording.chart import cells, ideal, judge_rgb, patches

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "judge-color")


def rgb_chart(width, height):
    """Rows of RGB pixels."""
    rows = [[(128, 128, 128)] * width for _ in range(height)]
    spots = [((level,) * 3, left, top, side, side) for level, left, top, side in cells(width, height)] + list(patches(width, height))
    for rgb, left, top, wide, tall in spots:
        for y in range(top, top + tall):
            rows[y][left : left + wide] = [rgb] * wide
    return rows


def i420(rows, wide, matrix, spoil=lambda plane, value: value):
    known = {}

    def samples(rgb):
        if rgb not in known:
            known[rgb] = [min(255, max(0, spoil(plane, int(value + 0.5)))) for plane, value in enumerate(ideal(rgb, wide, matrix))]
        return known[rgb]

    planes = [bytearray() for _ in range(3)]
    for y, row in enumerate(rows):
        planes[0] += bytes(samples(rgb)[0] for rgb in row)
        for plane in (1, 2) if y % 2 == 0 else ():
            planes[plane] += bytes(samples(rgb)[plane] for rgb in row[::2])
    return b"".join(planes)


class Chart(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def judge(self, pictures, wide, matrix, size=(320, 240)):
        path = os.path.join(self.folder.name, "a.mkv")
        tags = ["-color_range", "pc" if wide else "tv", "-colorspace", "bt709" if matrix == 709 else "smpte170m", "-color_trc", "bt709", "-color_primaries", "bt709"]
        command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "%dx%d" % size, "-i", "-", *tags,
                   "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", path]
        subprocess.run(command, input=b"".join(pictures), check=True)
        with open(os.path.join(self.folder.name, "list.json"), "w", encoding="utf-8") as file:
            json.dump([{"file": path, "fullRange": wide, "matrix": matrix}, {"file": "/missing.mkv", "fullRange": wide, "matrix": matrix}], file)
        done = subprocess.run([sys.executable, TOOL, file.name], capture_output=True, text=True, check=True)
        good, missing = json.loads(done.stdout)
        self.assertIsNone(missing["chart"])
        self.assertTrue(missing["error"])
        self.assertIsNone(good["error"])
        return good

    def test_exact_charts(self):
        for size in ((320, 240), (640, 480)):
            rows = rgb_chart(*size)
            for wide in (True, False):
                for matrix in (601, 709):
                    with self.subTest(size=size, wide=wide, matrix=matrix):
                        found = self.judge([i420(rows, wide, matrix)] * 2, wide, matrix, size)
                        self.assertEqual((found["chart"]["frames"], found["signals"]["disagreements"]), (2, []))
                        for kind in ("levels", "samples", "patches"):
                            self.assertLessEqual(found["chart"][kind]["max"], 0.51)

    def test_the_wrong_range_and_the_wrong_matrix(self):
        rows = rgb_chart(320, 240)
        limited = self.judge([i420(rows, False, 601)], True, 601)["chart"]
        self.assertAlmostEqual(limited["levels"]["max"], 20, 0)
        self.assertRegex(limited["levels"]["worst"], "level 25. -20")
        self.assertGreater(self.judge([i420(rows, True, 601)], True, 709)["chart"]["patches"]["max"], 20)
        self.assertLess(self.judge([i420(rows, True, 601)], True, 709)["chart"]["levels"]["max"], 0.51)

    def test_one_bad_picture_one_bad_level_one_bad_plane(self):
        rows = rgb_chart(320, 240)
        good = i420(rows, True, 601)
        found = self.judge([good, i420(rows, True, 601, lambda plane, value: 103 if (plane, value) == (0, 100) else value), good], True, 601)["chart"]
        self.assertAlmostEqual(found["levels"]["max"], 3, 2)
        self.assertEqual(found["levels"]["worst"], "level 100 +3.0")
        found = self.judge([good, i420(rows, True, 601, lambda plane, value: value + 9 * (plane == 2))], True, 601)["chart"]
        self.assertLess(found["levels"]["max"], 0.51)
        self.assertGreater(found["patches"]["max"], 8)
        self.assertTrue(found["patches"]["worst"].startswith("Cr"))

    def test_one_bad_sample(self):
        picture = bytearray(i420(rgb_chart(320, 240), True, 601))
        picture[32 * 320 + 7] = 40  # the corner of level 0: no mean of an inner half sees it
        found = self.judge([bytes(picture)], True, 601)["chart"]
        self.assertLess(found["levels"]["max"], 0.51)
        self.assertEqual(found["samples"]["max"], 40)

    def test_pixels_of_a_player(self):
        rows = rgb_chart(320, 240)
        pixels = b"".join(bytes(value for rgb in row for value in (*rgb, 255)) + bytes(40) for row in rows)
        found = judge_rgb(pixels, 320 * 4 + 40, 4, 320, 240)
        self.assertEqual((found["levels"]["max"], found["patches"]["max"]), (0, 0))
        crushed = bytes(min(255, max(0, round((value - 16) * 255 / 219))) for row in rows for rgb in row for value in rgb)
        self.assertGreater(judge_rgb(crushed, 320 * 3, 3, 320, 240)["levels"]["max"], 15)


if __name__ == "__main__":
    unittest.main()
