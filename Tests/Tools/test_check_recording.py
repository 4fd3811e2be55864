"""Tests of check-recording on files made by ffmpeg from a test picture that is drawn here: good files, and files that lie."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest

TOOL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check-recording")
WIDTH, HEIGHT, MIDDLE = 320, 240, 128
GREYS = (0, 16, 64, 128, 192, 235, 250, 255)
# 100 % bars by hand: BT.601 full, BT.601 limited, BT.709 limited (Y, Cb, Cr), as in any table of colour bars.
BARS = {
    "full601": ((255, 128, 128), (226, 1, 149), (179, 171, 1), (150, 44, 21), (105, 212, 235), (76, 85, 255), (29, 255, 107), (0, 128, 128)),
    "limited601": ((235, 128, 128), (210, 16, 146), (170, 166, 16), (145, 54, 34), (106, 202, 222), (81, 90, 240), (41, 240, 110), (16, 128, 128)),
    "limited709": ((235, 128, 128), (219, 16, 138), (188, 154, 16), (173, 42, 26), (78, 214, 230), (63, 102, 240), (32, 240, 118), (16, 128, 128)),
}


def frame(counter, kind="full601", spoil=False):
    """One I420 picture."""
    black, white = (0, 255) if kind.startswith("full") else (16, 235)
    check = (counter >> 16 ^ counter >> 8 ^ counter ^ 0xA5) & 0xFF
    word = counter << 8 | check ^ (1 if spoil else 0)
    cell, bar = WIDTH // 32, WIDTH // 8
    strip = b"".join(bytes([white if word >> (31 - i) & 1 else black]) * cell for i in range(32))
    levels = GREYS if black == 0 else [round(16 + grey * 219 / 255) for grey in GREYS]
    grey = b"".join(bytes([level]) * bar for level in levels)
    rows = [b"".join(bytes([triple[plane]]) * (bar if plane == 0 else bar // 2) for triple in BARS[kind]) for plane in range(3)]
    neutral = b"\x80" * (WIDTH // 2) * (MIDDLE // 2)
    chroma = [neutral + rows[plane] * ((HEIGHT - MIDDLE) // 2) for plane in (1, 2)]
    return strip * 32 + grey * (MIDDLE - 32) + rows[0] * (HEIGHT - MIDDLE) + chroma[0] + chroma[1]


def tags(wide, matrix="smpte170m"):
    return ["-color_range", "pc" if wide else "tv", "-colorspace", matrix, "-color_trc", "bt709", "-color_primaries", "bt709"]


def raw_input(rate="30"):
    return ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", f"{WIDTH}x{HEIGHT}", "-r", rate, "-i", "-"]


class CheckRecording(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def make(self, name, frames, *options, rate="30", coder=("-c:v", "libx264", "-crf", "5", "-bf", "0", "-g", "30")):
        path = self.path(name)
        command = [*raw_input(rate), *coder, *options, path]
        subprocess.run(command, input=b"".join(frames), check=True)
        return path

    def check(self, path, *options):
        done = subprocess.run([sys.executable, TOOL, path, *options], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refuse(self, path):
        done = subprocess.run([sys.executable, TOOL, path], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn(os.path.basename(path), done.stderr)
        return done.stderr

    def test_honest_file(self):
        report = self.check(self.make("a.mp4", map(frame, range(90)), *tags(True)))
        self.assertEqual(report["boxes"]["order"], ["ftyp", "free", "mdat", "moov"])
        self.assertEqual((report["track"]["samples"], report["track"]["stszSamples"], report["track"]["duration"]), (90, 90, 3.0))
        self.assertEqual((report["track"]["keyFrames"], report["track"]["maxKeyFrameDistance"]), ([1, 31, 61], 1.0))
        self.assertEqual((report["track"]["hasCtts"], report["track"]["compositionOffsets"]), (False, False))
        self.assertEqual(len(report["track"]["deltas"]), 1)
        self.assertAlmostEqual(report["track"]["maxGap"], 1 / 30)
        self.assertEqual((report["vui"]["fullRange"], report["vui"]["matrix"], report["vui"]["transfer"]), (True, 6, 1))
        self.assertEqual((report["avcC"]["profile"], report["avcC"]["chromaFormat"]), (100, 1))
        self.assertEqual((report["sps"]["width"], report["sps"]["height"]), (WIDTH, HEIGHT))
        self.assertEqual(report["colr"], {"kind": "nclx", "size": 19, "primaries": 1, "transfer": 1, "matrix": 6, "fullRange": True})
        self.assertEqual((report["probe"]["color_range"], report["probe"]["nb_read_frames"]), ("pc", 90))
        self.assertEqual(report["frames"], {"first": 0, "last": 89, "count": 90, "lost": 0, "lostList": [], "repeated": 0, "reordered": 0,
                                            "restarts": 0, "unreadable": 0})
        self.assertEqual(report["picture"]["closest"], "full601")
        self.assertLessEqual(report["picture"]["expected"]["full601"]["max"], 2)
        self.assertGreater(report["picture"]["expected"]["limited601"]["max"], 10)
        self.assertEqual(report["picture"]["framesLookedAt"], 2)

    def test_full_range_samples_under_a_limited_tag(self):
        report = self.check(self.make("lie.mp4", map(frame, range(10)), *tags(False)))
        self.assertEqual((report["vui"]["fullRange"], report["colr"]["fullRange"], report["probe"]["color_range"]), (False, False, "tv"))
        self.assertEqual(report["picture"]["closest"], "full601")

    def test_limited_samples_under_a_full_tag(self):
        report = self.check(self.make("lie.mp4", (frame(n, "limited601") for n in range(10)), *tags(True)))
        self.assertTrue(report["vui"]["fullRange"])
        self.assertEqual(report["picture"]["closest"], "limited601")
        self.assertEqual(report["frames"]["unreadable"], 0)

    def test_matrices_are_told_apart(self):
        report = self.check(self.make("709.mp4", (frame(n, "limited709") for n in range(10)), *tags(False, "bt709")))
        self.assertEqual((report["picture"]["closest"], report["vui"]["matrix"]), ("limited709", 1))
        self.assertGreater(report["picture"]["expected"]["limited601"]["color"], 10)

    def test_no_colour_said(self):
        report = self.check(self.make("dumb.mp4", map(frame, range(5))))
        self.assertEqual((report["vui"]["signalType"], report["vui"]["fullRange"], report["colr"]), (False, None, None))

    def test_colr_without_its_range_byte(self):
        path = self.make("colr18.mp4", map(frame, range(5)), *tags(True))
        with open(path, "rb") as file:
            data = bytearray(file.read())
        at = data.index(b"colr")
        for kind in (b"colr", b"avc1", b"stsd", b"stbl", b"minf", b"mdia", b"trak", b"moov"):
            place = data.rindex(kind, 0, at + 4) - 4
            struct.pack_into(">I", data, place, struct.unpack_from(">I", data, place)[0] - 1)
        del data[at - 4 + 18]
        with open(path, "wb") as file:
            file.write(data)
        report = self.check(path)
        self.assertEqual(report["colr"], {"kind": "nclx", "size": 18, "primaries": 1, "transfer": 1, "matrix": 6, "fullRange": None})
        self.assertTrue(report["vui"]["fullRange"])

    def test_lost_frames_are_named(self):
        report = self.check(self.make("lost.mp4", (frame(n) for n in range(40) if n not in (10, 11, 30))))
        self.assertEqual((report["frames"]["lost"], report["frames"]["lostList"], report["frames"]["count"]), (3, [10, 11, 30], 37))

    def test_many_lost_frames_make_a_short_list(self):
        report = self.check(self.make("lost.mp4", map(frame, (0, 1, 301, 70000))))
        self.assertEqual((report["frames"]["lost"], len(report["frames"]["lostList"])), (299 + 69698, 50))

    def test_repeated_reordered_unreadable_restarted(self):
        order = [0, 1, 1, 2, 4, 3, 5]
        report = self.check(self.make("order.mp4", map(frame, order)))["frames"]
        self.assertEqual((report["repeated"], report["reordered"], report["unreadable"]), (1, 1, 0))
        report = self.check(self.make("bad.mp4", (frame(n, spoil=n == 3) for n in range(6))))["frames"]
        self.assertEqual((report["unreadable"], report["lost"]), (1, 1))
        report = self.check(self.make("anew.mp4", map(frame, [*range(100, 110), *range(5)])))["frames"]
        self.assertEqual((report["restarts"], report["lost"], report["reordered"]), (1, 0, 0))

    def test_picture_changes_are_seen_by_all_pixels(self):
        mixed = [frame(n, "limited601" if n == 7 else "full601") for n in range(10)]
        path = self.make("mixed.mp4", mixed)
        self.assertEqual(self.check(path)["picture"]["grey"][7]["min"], 255)
        self.assertLess(self.check(path, "--all-pixels")["picture"]["grey"][7]["min"], 240)
        self.assertIsNone(self.check(path, "--no-pixels")["picture"])

    def test_b_frames(self):
        coder = ("-c:v", "libx264", "-bf", "2", "-b_strategy", "0", "-g", "60")
        report = self.check(self.make("b.mp4", map(frame, range(60)), coder=coder))
        self.assertTrue(report["track"]["hasCtts"] and report["track"]["compositionOffsets"])
        self.assertEqual((report["frames"]["lost"], report["frames"]["reordered"], report["frames"]["count"]), (0, 0, 60))
        self.assertGreater(report["vui"]["reorderFrames"], 0)

    def test_fragments_whole_and_cut(self):
        path = self.make("frag.mp4", map(frame, range(120)), "-movflags", "frag_keyframe+empty_moov", *tags(True))
        report = self.check(path)
        self.assertEqual((report["boxes"]["moofs"], report["boxes"]["fragmented"], report["track"]["samples"]), (4, True, 120))
        self.assertEqual([part["samples"] for part in report["track"]["fragments"]], [30] * 4)
        self.assertEqual((report["track"]["keyFrames"], report["track"]["sampleDuration"]), ([1, 31, 61, 91], 4.0))
        with open(path, "rb") as file:
            data = file.read()
        last = data.rindex(b"moof")
        with open(path, "wb") as file:
            file.write(data[: last + 700 if last + 700 < len(data) else len(data) - 300])
        report = self.check(path)
        self.assertTrue(report["boxes"]["truncated"] or report["track"]["fragments"][-1]["truncated"])
        self.assertGreaterEqual(report["frames"]["count"], 90)

    def test_no_index(self):
        path = self.make("cut.mp4", map(frame, range(30)))
        with open(path, "rb") as file:
            data = file.read()
        with open(path, "wb") as file:
            file.write(data[: data.index(b"moov") - 4])
        report = self.check(path)
        self.assertEqual((report["boxes"]["hasIndex"], report["probe"], report["track"]), (False, None, None))

    def test_gaps(self):
        report = self.check(self.make("gap.mp4", map(frame, range(20)), "-vf", "setpts=if(gte(N\\,10)\\,PTS+0.2/TB\\,PTS)", "-vsync", "vfr"))
        self.assertAlmostEqual(report["track"]["minGap"], 1 / 30, 3)
        self.assertAlmostEqual(report["track"]["maxGap"], 1 / 30 + 0.2, 3)

    def test_audio_beside(self):
        path = self.path("av.mp4")
        command = [*raw_input(), "-f", "lavfi", "-i", "sine=d=1", "-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-c:a", "aac", path]
        subprocess.run(command, input=b"".join(map(frame, range(30))), check=True)
        report = self.check(path)
        self.assertEqual([track["handler"] for track in report["otherTracks"]], ["soun"])
        self.assertEqual(report["probe"]["audio"][0]["codec_name"], "aac")

    def test_high_444(self):
        report = self.check(self.make("444.mp4", map(frame, range(5)), "-pix_fmt", "yuv444p"))
        self.assertEqual((report["avcC"]["profile"], report["avcC"]["chromaFormat"], report["probe"]["pix_fmt"]), (244, 3, "yuv444p"))
        self.assertEqual(report["frames"]["unreadable"], 0)

    def test_matroska(self):
        report = self.check(self.make("a.mkv", map(frame, range(30)), *tags(True)))
        self.assertEqual((report["boxes"], report["track"], report["colr"]), (None, None, None))
        self.assertIn("matroska", report["container"])
        self.assertEqual((report["frames"]["last"], report["picture"]["closest"]), (29, "full601"))
        self.assertTrue(report["signals"]["stream"]["fullRange"] and report["signals"]["container"]["fullRange"])

    def test_things_that_are_no_recording(self):
        for name, data in (("empty.mp4", b""), ("text.mp4", b"hello, this is no movie at all")):
            with open(self.path(name), "wb") as file:
                file.write(data)
            self.assertIn("check-recording:", self.refuse(self.path(name)))
        self.refuse(self.path("missing.mp4"))


if __name__ == "__main__":
    unittest.main()
