"""Tests of what is read of colour from streams and containers: files by ffmpeg that are right, that are silent, and that lie."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from recording.av1 import parse_sequence_header
from recording.bits import Unreadable
from recording.hevc import parse_hevc_sps
from recording.pixels import probe
from recording.signals import read_signals
from recording.vp9 import parse_vp9_frame

CODERS = {
    "h264": ("-c:v", "libx264", "-preset", "ultrafast"),
    "h265": ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:scaling-list=default"),
    "vp9": ("-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8"),
    "av1": ("-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8"),
}
FILES = [(codec, container) for codec in CODERS for container in ("mp4", "mkv")] + [
    ("h264", "mov"), ("h265", "mov"), ("vp9", "webm"), ("av1", "webm")]
COLORS = [(True, 1, 1, 1), (False, 1, 1, 1), (True, 1, 1, 6), (False, 6, 6, 6)]
WORDS = {1: "bt709", 6: "smpte170m"}


class Writer:
    """Bits as H.265 writes them."""

    def __init__(self):
        self.bits = ""

    def u(self, count, value):
        self.bits += f"{value:0{count}b}" if count else ""
        return self

    def ue(self, *values):
        for value in values:
            self.bits += "0" * ((value + 1).bit_length() - 1) + f"{value + 1:b}"
        return self

    def done(self):
        bits = self.bits + "1"
        return bytes(int(bits[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(bits), 8))


class Signals(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def make(self, name, codec, *options):
        path = os.path.join(self.folder.name, name)
        source = ["-f", "lavfi", "-i", "color=c=gray:s=320x240:r=30:d=0.2,format=yuv420p"]
        subprocess.run(["ffmpeg", "-v", "error", "-y", *source, *CODERS[codec], *options, path], check=True)
        return path

    def change(self, path, name, *options):
        target = os.path.join(self.folder.name, name)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path, "-c", "copy", *options, target], check=True)
        return target

    def read(self, path):
        with open(path, "rb") as file:
            return read_signals(memoryview(file.read()), probe(path))

    def tags(self, wide, primaries, transfer, matrix):
        return ["-color_range", "pc" if wide else "tv", "-color_primaries", WORDS[primaries], "-color_trc", WORDS[transfer], "-colorspace", WORDS[matrix]]

    def fields(self, said):
        return tuple(said[field] for field in ("fullRange", "primaries", "transfer", "matrix"))

    def test_each_codec_in_each_container(self):
        for codec, container in FILES:
            for said in COLORS:
                with self.subTest(codec=codec, container=container, said=said):
                    signals = self.read(self.make(f"a.{container}", codec, *self.tags(*said)))
                    self.assertEqual((signals["codec"], signals["disagreements"]), (codec, []))
                    stream = (said[0], None, None, said[3]) if codec == "vp9" and container in ("mkv", "webm") else said
                    self.assertEqual(self.fields(signals["stream"]), stream)
                    self.assertEqual(self.fields(signals["container"])[1:], said[1:])
                    self.assertEqual(signals["container"]["fullRange"], None if container == "mov" and signals["container"]["kind"] == "nclc" else said[0])
                    self.assertEqual(self.fields(signals["probe"]), said)

    def test_silence(self):
        for codec in ("h264", "h265", "av1"):
            with self.subTest(codec):
                signals = self.read(self.make("dumb.mkv", codec))
                self.assertIn(self.fields(signals["stream"])[1:], ((None,) * 3, (2, 2, 2)))

    def test_a_stream_that_contradicts_its_container(self):
        liars = {
            "h264": ("h264_metadata=video_full_range_flag=0", "fullRange"), "h265": ("hevc_metadata=matrix_coefficients=6", "matrix"),
            "vp9": ("vp9_metadata=color_range=tv", "fullRange"), "av1": ("av1_metadata=transfer_characteristics=6", "transfer"),
        }
        for codec, (lie, field) in liars.items():
            with self.subTest(codec):
                honest = self.make("a.mkv", codec, *self.tags(True, 1, 1, 1))
                signals = self.read(self.change(honest, "lie.mkv", "-bsf:v", lie))
                self.assertTrue(any(text.startswith(field) for text in signals["disagreements"]), signals["disagreements"])

    def test_fragments(self):
        path = self.make("a.mp4", "h264", *self.tags(True, 1, 1, 1), "-movflags", "frag_keyframe+empty_moov")
        signals = self.read(path)
        self.assertEqual(self.fields(signals["stream"]), (True, 1, 1, 1))
        self.assertEqual(signals["disagreements"], [])

    def test_h265_with_everything_before_its_vui(self):
        sps = Writer().u(4, 0).u(3, 2).u(1, 1).u(88, 0).u(8, 93)
        sps.u(2, 3).u(2, 1).u(12, 0).u(88, 0).u(8, 60).u(8, 30)  # two sub-layers, one with a profile
        sps.ue(0, 1, 320, 240).u(1, 1).ue(0, 0, 0, 2).ue(0, 0, 4).u(1, 0).ue(4, 0, 0)
        sps.ue(0, 3, 0, 3, 0, 0).u(1, 1).u(1, 1)  # a scaling list in the SPS
        for size in range(4):
            for index in range(2 if size == 3 else 6):
                if index:
                    sps.u(1, 0).ue(1)
                else:
                    sps.u(1, 1).ue(*([1] * (size > 1) + [2] * min(64, 16 << 2 * size)))
        sps.u(2, 3).u(1, 1).u(8, 0x77).ue(0, 0).u(1, 0)  # PCM
        sps.ue(3).ue(2, 1).ue(0).u(1, 1).ue(0).u(1, 1).ue(1).u(1, 0)  # reference sets: two before and one after, then two derived
        sps.u(1, 1).u(1, 1).ue(0).u(1, 1).u(1, 0).u(1, 0).u(1, 0).u(1, 1).u(1, 1)
        sps.u(1, 1).u(1, 0).ue(2).u(4, 15)
        sps.u(1, 1).ue(1).u(8, 5).u(1, 1)  # one long-term picture, of eight bits
        sps.u(2, 3).u(1, 1)
        sps.u(1, 1).u(8, 255).u(32, 0x10001).u(1, 1).u(1, 1)
        sps.u(1, 1).u(3, 5).u(1, 1).u(1, 1).u(8, 9).u(8, 16).u(8, 9)
        self.assertEqual(self.fields(parse_hevc_sps(b"\x42\x01" + sps.done().replace(b"\0\0\0", b"\0\0\3\0").replace(b"\0\0\1", b"\0\0\3\1"))), (True, 9, 16, 9))

    def test_headers_that_end_too_early(self):
        for parse, data in ((parse_hevc_sps, b"\x42\x01\x01"), (parse_sequence_header, b"\0"), (parse_vp9_frame, b"\x82")):
            self.assertRaises(Unreadable, parse, data)
        self.assertRaises(Unreadable, parse_vp9_frame, bytes(16))
        self.assertIsNone(parse_vp9_frame(b"\x86" + bytes(15)))  # no key frame


if __name__ == "__main__":
    unittest.main()
