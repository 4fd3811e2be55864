"""Tests of the fake camera through the real v4l2-ctl, v4l2src and ffmpeg: what it lists, streams, and how it fails."""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TABLES = os.path.join(HERE, "..", "Fixtures", "cameras")
CHECKER = os.path.join(HERE, "..", "Tools", "check-recording")
sys.path.insert(0, os.path.join(HERE, "..", "Tools"))

from recording.chart import Plane, judge_rgb, judge_ycbcr

C922 = os.path.join(TABLES, "logitech_c922.json")
MJPG = "image/jpeg,width=1280,height=720,framerate=60/1"


class FakeCamera(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.build = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.build.cleanup)
        subprocess.run(["make", "-s", "-C", HERE, f"OUT={cls.build.name}"], check=True)
        cls.library = os.path.join(cls.build.name, "libfakecamera.so")

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def environment(self, *devices, **machine):
        with open(self.path("config.json"), "w", encoding="utf-8") as file:
            json.dump({"devices": [{"table": C922, **device} for device in devices], **machine}, file)
        return {**os.environ, "FAKE_CAMERA": self.path("config.json"), "LD_PRELOAD": self.library}

    def run_in(self, environment, *command):
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, check=False)
        return done.returncode, done.stdout

    def stream(self, *elements, seconds=60, **device):
        return self.run_in(self.environment(device), "timeout", str(seconds), "gst-launch-1.0", "-v", "v4l2src", *" ".join(elements).split())

    def log(self):
        if not os.path.exists(self.path("log")):
            return ""
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read()

    def check(self, path, *options):
        done = subprocess.run([sys.executable, CHECKER, path, *options], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def test_every_table_is_listed_as_written(self):
        tables = glob.glob(os.path.join(TABLES, "*.json"))
        self.assertGreaterEqual(len(tables), 27)
        for path in tables:
            with self.subTest(os.path.basename(path)), open(path, encoding="utf-8") as file:
                table = json.load(file)
                code, text = self.run_in(self.environment({"table": path}), "v4l2-ctl", "-d", "/dev/video0", "--list-formats-ext")
                self.assertEqual(code, 0)
                self.assertEqual(re.findall(r"\]: '(....)'", text), [item["fourcc"] for item in table["formats"]])
                sizes = [size for item in table["formats"] for size in item["sizes"]]
                discrete = [f"{size['width']}x{size['height']}" for size in sizes if size["type"] == "discrete"]
                self.assertEqual(re.findall(r"Size: Discrete (\w+)", text), discrete)
                self.assertEqual(len(re.findall("Interval: Discrete", text)), sum(len(size.get("intervals", [])) for size in sizes))

    def test_nodes_say_what_they_are(self):
        environment = self.environment({"node": 4})
        _, listing = self.run_in(environment, sys.executable, "-c", "import glob; print(sorted(glob.glob('/dev/video*')))")
        self.assertEqual(listing.strip(), "['/dev/video4', '/dev/video5']")
        _, text = self.run_in(environment, "v4l2-ctl", "-d", "/dev/video5", "-D")
        self.assertIn("Metadata Capture", text.split("Device Caps")[1])
        self.assertNotIn("Video Capture", text.split("Device Caps")[1])

    def shell(self, environment, script):
        return self.run_in(environment, sys.executable, "-c", "import glob, os\n" + script)[1].strip()

    def test_links_where_udev_runs(self):
        cameras = [{"node": 4 * i, "usb": {"idVendor": "046d", "idProduct": "085c"}, "bus_info": f"usb-0000:00:14.0-{i + 1}"} for i in range(2)]
        listing = "print([(os.path.basename(p), os.readlink(p), os.path.realpath(p)) for p in sorted(glob.glob('/dev/v4l/by-%s/*'))])"
        environment = self.environment(*cameras, udev=True)
        name = "usb-046d_C922_Pro_Stream_Webcam-video-index"
        expected = [(f"{name}{i}", f"../../video{4 + i}", f"/dev/video{4 + i}") for i in range(2)]  # both want it, the last has it
        self.assertEqual(self.shell(environment, listing % "id"), str(expected))
        expected = [(f"pci-0000:00:14.0-usb-0:{1 + n // 4}:1.0-video-index{n % 4}", f"../../video{n}", f"/dev/video{n}") for n in (0, 1, 4, 5)]
        self.assertEqual(self.shell(environment, listing % "path"), str(expected))
        _, text = self.run_in(environment, "v4l2-ctl", "-d", f"/dev/v4l/by-id/{name}0", "-D")
        self.assertIn("usb-0000:00:14.0-2", text)
        self.assertEqual(self.shell(environment, "print(os.listdir('/dev/v4l'), os.path.exists('/run/udev/control'), os.path.exists('/dev/v4l/by-id/x'))"), "['by-id', 'by-path'] True False")
        self.assertEqual(self.shell(self.environment(*cameras), listing % "id"), str(sorted(glob.glob("/dev/v4l/by-id/*"))))

    def test_a_file_is_the_plug(self):
        environment = self.environment({"node": 40, "presentWhile": "plug"})
        look = "print(os.path.exists('/dev/video40'))\n"
        script = look + f"open({self.path('plug')!r}, 'w').close()\n" + look + f"os.remove({self.path('plug')!r})\n" + look
        self.assertEqual(self.shell(environment, script).split(), ["False", "True", "False"])

    def test_no_configuration_no_camera(self):
        environment = {**os.environ, "LD_PRELOAD": self.library}
        environment.pop("FAKE_CAMERA", None)
        self.assertNotEqual(self.run_in(environment, "v4l2-ctl", "-d", "/dev/video77", "-D")[0], 0)
        broken = {**self.environment({"faults": {"unplugged": 1}}), "LC_ALL": "C"}
        code, text = self.run_in(broken, "stat", "/dev/video0")
        self.assertEqual((code, text), (97, 'fakecamera: unknown fault "unplugged"\n'))

    def record(self, caps, middle, **device):
        code, text = self.stream("num-buffers=60", "!", caps, "!", middle, "! avenc_ffv1 ! matroskamux ! filesink location=" + self.path("a.mkv"), **device)
        self.assertEqual(code, 0, text)
        return text, self.check(self.path("a.mkv"), "--all-pixels")

    def test_mjpg_comes_back_exact(self):
        for options in ({}, {"jpegSubsampling": "4:2:0"}):
            _, report = self.record(MJPG, "queue ! jpegdec idct-method=islow", color=options)
            self.assertEqual((report["frames"]["count"], report["frames"]["unreadable"], report["frames"]["repeated"]), (60, 0, 0))
            self.assertEqual(report["frames"]["first"], 0)
            self.assertLessEqual(report["picture"]["expected"]["full601"]["max"], 1)

    def test_raw_formats_follow_the_colour_fields(self):
        brio = {"table": os.path.join(TABLES, "logitech_brio_usb3.json")}
        full = {"colorspace": "Rec. 709", "transfer": "Default", "ycbcr_encoding": "Default", "quantization": "Full Range"}
        text, report = self.record("video/x-raw,format=NV12,width=640,height=480", "queue ! videoconvert ! video/x-raw,format=I420", color=full, **brio)
        self.assertIn("colorimetry=(string)1:3:5:1", text)
        self.assertEqual(report["picture"]["expected"]["full709"]["max"], 0)
        text, report = self.record("video/x-raw,format=YUY2,width=640,height=480", "queue ! videoconvert ! video/x-raw,format=Y42B", **brio)
        self.assertIn("colorimetry=(string)2:4:", text)
        self.assertEqual(report["picture"]["expected"]["limited601"]["max"], 0)

    def chart(self, fourcc, caps, width, height, color):
        """The second frame, as the camera gave it."""
        size = {"type": "discrete", "width": width, "height": height, "intervals": [{"num": 1, "den": 60}]}
        table = {"card": "Chart", "color": color, "formats": [{"fourcc": fourcc, "compressed": fourcc == "MJPG", "sizes": [size]}]}
        code, text = self.stream(f"num-buffers=2 ! {caps} ! multifilesink location=" + self.path("frame%d"), table=table, picture="ramp")
        self.assertEqual(code, 0, text)
        if fourcc == "MJPG":
            pix_fmt = "yuvj420p" if color.get("jpegSubsampling") == "4:2:0" else "yuvj422p"
            command = ["ffmpeg", "-v", "error", "-y", "-f", "mjpeg", "-i", self.path("frame1"), "-f", "rawvideo", "-pix_fmt", pix_fmt, self.path("raw")]
            subprocess.run(command, check=True)
        with open(self.path("raw" if fourcc == "MJPG" else "frame1"), "rb") as file:
            return file.read()

    def planes(self, fourcc, data, width, height, color):
        luma, chroma = width * height, width * height // 4
        if fourcc == "YUYV":
            return [Plane(data, 2 * width, step=2), Plane(data, 2 * width, (2, 1), 4, 1), Plane(data, 2 * width, (2, 1), 4, 3)]
        if fourcc == "NV12":
            return [Plane(data, width), Plane(data[luma:], width, (2, 2), 2, 0), Plane(data[luma:], width, (2, 2), 2, 1)]
        if fourcc == "MJPG" and color.get("jpegSubsampling") != "4:2:0":
            return [Plane(data, width), Plane(data[luma:], width // 2, (2, 1)), Plane(data[luma * 3 // 2 :], width // 2, (2, 1))]
        return [Plane(data, width), Plane(data[luma:], width // 2, (2, 2)), Plane(data[luma + chroma :], width // 2, (2, 2))]

    def test_the_chart_in_every_format_range_and_matrix(self):
        raw = {"YUYV": "video/x-raw,format=YUY2", "NV12": "video/x-raw,format=NV12", "YU12": "video/x-raw,format=I420"}
        for fourcc, caps in raw.items():
            for quantization in ("Full Range", "Limited Range"):
                for space, matrix in (("Rec. 709", 709), ("sRGB", 601)):
                    size = (640, 480) if fourcc == "NV12" else (320, 240)
                    color = {"colorspace": space, "quantization": quantization}
                    with self.subTest(fourcc=fourcc, **color):
                        data = self.chart(fourcc, caps, *size, color)
                        found = judge_ycbcr(self.planes(fourcc, data, *size, color), *size, quantization == "Full Range", matrix)
                        self.assertLessEqual(max(found[kind]["max"] for kind in found), 0.51)

    def test_the_chart_as_jpeg(self):
        for sampling in ("4:2:2", "4:2:0"):
            for reach in ("full", "limited"):
                for size in ((320, 240), (1280, 720)):
                    color = {"jpegSubsampling": sampling, "jpegRange": reach}
                    with self.subTest(size=size, **color):
                        data = self.chart("MJPG", "image/jpeg", *size, color)
                        found = judge_ycbcr(self.planes("MJPG", data, *size, color), *size, reach == "full", 601)
                        self.assertLessEqual(found["samples"]["max"], 1)
                        self.assertLessEqual(found["patches"]["max"], 1)

    def test_the_chart_without_matrix(self):
        data = self.chart("RGB3", "video/x-raw,format=RGB", 320, 240, {})
        found = judge_rgb(data, 320 * 3, 3, 320, 240)
        self.assertEqual((found["levels"]["max"], found["patches"]["max"]), (0, 0))
        data = self.chart("GREY", "video/x-raw,format=GRAY8", 320, 240, {"quantization": "Full Range"})
        found = judge_ycbcr([Plane(data, 320)], 320, 240, True, 601)
        self.assertEqual(found["samples"]["max"], 0)
        self.assertLessEqual(found["patches"]["max"], 0.51)

    def test_the_chart_needs_room(self):
        code, text = self.run_in(self.environment({"picture": "stripes"}), "stat", "/dev/video0")
        self.assertEqual((code, text), (97, "fakecamera: picture: unknown value stripes\n"))
        code, text = self.stream("num-buffers=1 ! image/jpeg,width=160,height=90 ! fakesink", picture="ramp")
        self.assertIn('the picture "ramp" needs 320x240 pixels, not 160x90', text)

    def test_own_h264(self):
        table = os.path.join(TABLES, "logitech_c920.json")
        target = self.path("h.mp4")
        code, text = self.stream("num-buffers=61 ! video/x-h264,width=1280,height=720,framerate=30/1 ! h264parse ! mp4mux ! filesink location=" + target, table=table)
        self.assertEqual(code, 0, text)
        report = self.check(target)
        self.assertEqual((report["track"]["keyFrames"], report["frames"]["count"]), ([1, 31, 61], 61))

    def test_a_slow_reader_loses_frames_and_the_numbers_say_so(self):
        _, report = self.record("image/jpeg,width=640,height=480,framerate=30/1", "identity sleep-time=100000 ! jpegdec")
        self.assertGreater(report["frames"]["lost"], 60)

    def test_ffmpeg_and_exact_rate(self):
        environment = self.environment({"table": os.path.join(TABLES, "elgato_camlink4k_1080p5994.json")})
        code, text = self.run_in(environment, "v4l2-ctl", "-d", "/dev/video0", "--stream-mmap", "--stream-count=120", "--verbose")
        stamps = [float(stamp) for stamp in re.findall(r"ts: ([\d.]+)", text)]
        self.assertEqual((code, len(stamps)), (0, 120))
        self.assertEqual(re.findall(r"seq: +(\d+)", text)[0], "0")
        first, last = (int(re.findall(r"seq: +(\d+)", text)[i]) for i in (0, -1))
        self.assertAlmostEqual((stamps[-1] - stamps[0]) / (last - first), 117 / 7013, 6)
        environment = self.environment({})
        code, text = self.run_in(environment, "ffmpeg", "-v", "error", "-f", "v4l2", "-input_format", "mjpeg", "-video_size", "1280x720", "-framerate", "60",
                                 "-i", "/dev/video0", "-frames:v", "30", "-c", "copy", self.path("f.mkv"))
        self.assertEqual(code, 0, text)
        self.assertEqual(self.check(self.path("f.mkv"))["frames"]["count"], 30)

    def test_failures_are_those_of_real_cameras(self):
        expected = {
            "Could not read from resource": {"unplugAfter": 10},
            "Device '/dev/video0' is busy": {"busy": "s_fmt"},
            "Permission denied": {"permission": True},
            "has no supported format": {"refuseFormats": ["MJPG"]},
            "Failed to allocate required memory": {"streamonErrno": "ENOSPC"},
            "Failed to allocate a buffer": {"dqbufEIOAfter": 5},
        }
        for message, faults in expected.items():
            with self.subTest(faults):
                code, text = self.stream("num-buffers=60 !", MJPG, "! fakesink", faults=faults)
                self.assertNotEqual(code, 0)
                self.assertIn(message, text)

    def test_a_stalled_camera_is_silent(self):
        code, text = self.stream("num-buffers=60 !", MJPG, "! fakesink", seconds=3, faults={"stallAfter": 10})
        self.assertEqual(code, 124)
        self.assertNotIn("ERROR", text)

    def test_another_signal_is_told_and_waits_for_a_new_start(self):
        environment = self.environment(
            {"log": self.path("log"), "faults": {"signalChangeAfter": 10, "changedSignal": {"width": 320, "height": 180}}})
        code, text = self.run_in(environment, "timeout", "60", "v4l2-ctl", "-d", "/dev/video0", "--stream-mmap", "--stream-poll", "--stream-count=30")
        self.assertEqual((code, text.count("SOURCE CHANGE EVENT")), (0, 1), text)
        self.assertEqual(self.log().count("streamon"), 2)
        code, text = self.stream("num-buffers=60 ! video/x-raw,width=640,height=360 ! fakesink", faults={"signalChangeAfter": 10, "changedSignal": {"width": 320, "height": 180}})
        self.assertNotEqual(code, 0)
        self.assertIn("not-negotiated", text)

    def test_actual_rate_and_dim_light(self):
        slow = self.record(MJPG, "queue ! jpegdec", faults={"actualRate": "20/1"})[1]
        self.assertAlmostEqual(slow["probe"]["duration"], 3, 1)
        for value, duration in ((1, 2), (0, 1)):
            controls = [{"id": "exposure_dynamic_framerate", "type": "bool", "default": 1, "value": value}]
            report = self.record(MJPG, "queue ! jpegdec", faults={"dim": True}, controls=controls)[1]
            self.assertAlmostEqual(report["probe"]["duration"], duration, 1)

    def test_one_process_at_a_time(self):
        environment = self.environment({"log": self.path("log")})
        first = subprocess.Popen(["gst-launch-1.0", "-q", "v4l2src", "!", MJPG, "!", "fakesink"], env=environment)
        try:
            while "streamon" not in self.log():
                self.assertIsNone(first.poll())
                time.sleep(0.05)
            self.assertEqual(self.run_in(environment, "v4l2-ctl", "-d", "/dev/video0", "-D")[0], 0)
            code, text = self.run_in(environment, "gst-launch-1.0", "v4l2src", "!", MJPG, "!", "fakesink")
            self.assertEqual(code, 1)
            self.assertIn("is busy", text)
        finally:
            first.terminate()
            first.wait()
        code, text = self.run_in(environment, "gst-launch-1.0", "v4l2src", "num-buffers=3", "!", MJPG, "!", "fakesink")
        self.assertEqual(code, 0, text)

    def test_controls_outlive_the_process(self):
        controls = [{"id": "zoom_absolute", "min": 100, "max": 500, "default": 100}]
        environment = self.environment({"controls": controls, "controlState": self.path("state")})
        self.run_in(environment, "v4l2-ctl", "-d", "/dev/video0", "--set-ctrl", "zoom_absolute=300")
        self.assertEqual(self.run_in(environment, "v4l2-ctl", "-d", "/dev/video0", "--get-ctrl", "zoom_absolute")[1], "zoom_absolute: 300\n")


if __name__ == "__main__":
    unittest.main()
