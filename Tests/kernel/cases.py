"""The cases: what is done in the guest (with the words of guest/steps), and beside it what has to come of that."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Callable


@dataclass
class Case:
    name: str
    summary: str
    steps: str
    judge: Callable


CASES = []


def case(steps):
    def add(judge):
        CASES.append(Case(f"{len(CASES) + 1:02}-{judge.__name__.replace('_', '-')}", judge.__doc__, steps, judge))
        return judge
    return add


def sound(found, name, size, rate, status=0):
    """What holds of every recording that came to an end: an ordinary MP4, whose frames and gaps are as many as were told."""
    movie, report = found.movie(name), found.report(name)
    found.expect(f"{name}: exit code", found.status(name), status)
    found.expect(f"{name}: an ordinary MP4", movie.is_ordinary, True)
    found.expect(f"{name}: size", movie.size, size)
    found.expect(f"{name}: frames told and frames in the file", report["framesWritten"], movie.frames)
    found.expect(f"{name}: frames told lost and gaps in the file", report["framesLost"], movie.missing(rate))
    found.expect(f"{name}: the causes add up", sum(report["lost"].values()), report["framesLost"])
    return movie, report


def lost_device(found, name, seconds):
    """A camera that went away: its own exit code and cause, soon, and a file with everything up to then."""
    movie, report = sound(found, name, (320, 180), 30, status=4)
    found.expect(f"{name}: cause", report["error"]["code"], "deviceLost")
    found.expect(f"{name}: the file is complete", report["fileComplete"], True)
    found.expect(f"{name}: frames lost", report["framesLost"], 0)
    found.expect_between(f"{name}: frames", movie.frames, 27, 75)  # one second, and what it took to pull the plug
    found.expect_between(f"{name}: seconds from the fault to the end", found.number(seconds), 0, 2)
    return report


def driver_rows(listing):
    """Code, size and rate of every mode that `v4l2-ctl --list-formats-ext` tells."""
    rows, code, size = set(), None, None
    for line in listing.splitlines():
        if match := re.search(r"\[\d+\]: '(.+?)'", line):
            code = match[1].replace(" ", "")
        elif match := re.search(r"Discrete (\d+)x(\d+)", line):
            size = int(match[1]), int(match[2])
        elif match := re.search(r"\(([\d.]+) fps\)", line):
            rows.add((code, *size, float(match[1])))
    return rows


@case(r"""
run devices "$capstan" devices --json
run webcam "$capstan" formats --json -d $webcam
run driver v4l2-ctl -d $webcam --list-formats-ext
run hdmi "$capstan" formats --json -d $hdmi
""")
def listing(found):
    """both devices are listed, and every mode that the driver has"""
    devices = found.answer("devices")
    found.expect("devices", [(device["path"], device["driver"]) for device in devices], [("/dev/video0", "vivid"), ("/dev/video1", "vivid")])
    found.expect("different ids", len({device["id"] for device in devices}), 2)
    rows = {(row["fourCC"].replace(" ", ""), row["width"], row["height"], round(float(Fraction(rate)), 3))
            for row in found.answer("webcam") for rate in row["frameRates"]}
    wanted = driver_rows(found.text("driver.out"))
    found.expect_between("modes of the driver", len(wanted), 1000, 10000)
    found.expect("modes left out", sorted(wanted - rows)[:3], [])
    found.expect("modes made up", sorted(rows - wanted)[:3], [])
    row = next(row for row in found.answer("hdmi") if row["fourCC"] == "NV12")
    found.expect("HDMI: rate, step and range", (row["frameRates"], row["width"]["step"], row["range"]), (["60/1"], 2, "limited"))


@case(r"""
set_controls $hdmi quantization=1,test_pattern=1,osd_text_mode=1
record full $hdmi -p 720p60 --frames 90 --control saturation=120
v4l2-ctl -d $hdmi -C saturation >after.out
""")
def full_range_720p60(found):
    """720p60 in full range: every frame, the rate, the range in stream, container and samples; a control put back"""
    movie, report = sound(found, "full", (1280, 720), 60)
    found.expect("frames", movie.frames, 90)
    found.expect("frames lost", report["framesLost"], 0)
    found.expect("negotiated rate", report["rate"]["negotiated"], "60/1")
    found.expect_between("rate in the file", movie.rate, 59.4, 60.6)  # the driver's time stamps are multiples of 4 ms
    found.expect("full range in colr, VUI and ffprobe", movie.ranges, (True, True, "pc"))
    found.expect("BT.709 in colr and VUI", movie.matrix, (1, 1))
    found.expect_between("white, as stored", movie.luma(1 / 16), 254, 255)
    found.expect_between("black, as stored", movie.luma(15 / 16), 0, 1)
    found.expect("saturation afterwards", found.text("after.out").strip(), "saturation: 128")


@case(r"""
set_controls $hdmi quantization=2,test_pattern=1,osd_text_mode=1
record limited $hdmi --color-range limited --frames 45
""")
def limited_range(found):
    """720p60 in limited range: told and stored so"""
    movie, report = sound(found, "limited", (1280, 720), 60)
    found.expect("frames lost", report["framesLost"], 0)
    found.expect("limited range in colr, VUI and ffprobe", movie.ranges, (False, False, "tv"))
    found.expect_between("white, as stored", movie.luma(1 / 16), 234, 236)
    found.expect_between("black, as stored", movie.luma(15 / 16), 15, 17)


@case(r"""
set_controls $hdmi quantization=2,reduced_framerate=1
record ntsc $hdmi $plain -s 640x360 -r 59.94 --frames 60
set_controls $hdmi reduced_framerate=0
v4l2-ctl -d $hdmi --set-dv-bt-timings index=6
record pal $hdmi $plain -s 640x360 -r 50 --frames 50
record slow $webcam $plain -s 640x480 -r 12.5 --frames 13
""")
def other_rates(found):
    """59.94, 50 and 12.5 frames a second"""
    for name, size, rate in (("ntsc", (640, 360), 60000 / 1001), ("pal", (640, 360), 50), ("slow", (640, 480), 12.5)):
        movie, report = sound(found, name, size, rate)
        found.expect(f"{name}: frames lost", report["framesLost"], 0)
        found.expect_between(f"{name}: negotiated", float(Fraction(report["rate"]["negotiated"])), rate - 0.001, rate + 0.001)
        found.expect_between(f"{name}: in the file", movie.rate, rate * 0.985, rate * 1.015)


@case(r"""
begin_record pulled $webcam $small -t 30s --control brightness=200
v4l2-ctl -d $webcam -C brightness >during.out
sleep 1
set_controls $webcam disconnect=1
begun=$EPOCHREALTIME
wait $(<pulled.pid)
elapsed $begun >seconds_after
""")
def disconnected(found):
    """a device that is disconnected while it records; a control that was set until then"""
    report = lost_device(found, "pulled", "seconds_after")
    found.expect("brightness meanwhile", found.text("during.out").strip(), "brightness: 200")
    found.expect("event: the controls are to be put back", "controls" in found.events("pulled", "warning")[0]["message"], True)
    found.expect("success", report["success"], False)


@case(r"""
begin watch "$capstan" devices --watch --json
begin_record unbound $webcam $small -t 30s
sleep 1
echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind
begun=$EPOCHREALTIME
wait $(<unbound.pid)
elapsed $begun >seconds_after
echo vivid.0 >/sys/bus/platform/drivers/vivid/bind
until_count 2 '"change":"added"' watch
pkill -INT -x capstan
wait $(<watch.pid)
""")
def unplugged_and_back(found):
    """the whole driver goes while it records, and comes back: the file, and what devices --watch tells"""
    lost_device(found, "unbound", "seconds_after")
    changes = re.findall(r'"change":"(\w+)"', found.text("watch.out"))
    found.expect("changes told", changes, ["present"] * 2 + ["removed"] * 2 + ["added"] * 2)


@case(r"""
begin_record signal $hdmi $plain -s 640x360 -r 60 --frames 60
sleep 0.4
set_controls $hdmi dv_timings_signal_mode=4,dv_timings=4
wait $(<signal.pid)
""")
def another_signal(found):
    """an HDMI input that gets another signal while it records, 50 instead of 60 frames a second: it goes on in the next file"""
    report, movies = found.report("signal"), [found.movie("signal"), found.movie("signal-00001")]
    found.expect("exit code", found.status("signal"), 0)
    found.expect("modes", [item["mode"]["frameRate"] for item in report["modes"]], ["60/1", "50/1"])
    for movie, told, rate in zip(movies, report["files"], (60, 50)):
        found.expect(f"{rate}: an ordinary MP4, its frames, its gaps", (movie.is_ordinary, movie.frames, movie.missing(rate)), (True, told["framesWritten"], 0))
        found.expect_between(f"{rate}: in the file", movie.rate, rate * 0.98, rate * 1.02)
    found.expect("frames", sum(movie.frames for movie in movies), 60)
    found.expect("lost but by the change, and the sum", (report["framesLost"] - report["lost"]["absent"], report["ledger"]["difference"]), (0, 0))


@case(r"""
begin_record broken $webcam $small -t 30s
sleep 1
set_controls $webcam inject_fatal_streaming_error=1
begun=$EPOCHREALTIME
wait $(<broken.pid)
elapsed $begun >seconds_after
""")
def fatal_streaming_error(found):
    """an error of the stream that the driver does not get over"""
    lost_device(found, "broken", "seconds_after")


@case(r"""
begin_record flagged $webcam $small -t 2s
for error in inject_v4l2_buf_flag_error inject_vidioc_qbuf_error inject_v4l2_buf_flag_error; do
  sleep 0.4
  set_controls $webcam $error=1
done
wait $(<flagged.pid)
""")
def flagged_frames(found):
    """frames that the driver marks as bad are dropped and counted, and an error of QBUF is survived"""
    _, report = sound(found, "flagged", (320, 180), 30)
    found.expect("corrupt frames", report["lost"]["corrupt"], 2)
    found.expect("frames and losses of two seconds", report["framesWritten"] + report["framesLost"], 60)


@case(r"""
set_controls $webcam inject_vidioc_reqbufs_error=1,inject_vidioc_qbuf_error=1,inject_vidioc_streamon_error=1
record refused $webcam -s 320x180 -r 30 --color-range source --frames 15
""")
def refused_starts(found):
    """modes that are listed but fail at REQBUFS, QBUF or STREAMON are skipped with the reason, and the next is taken"""
    sound(found, "refused", (320, 180), 30)
    notes = found.text("refused.err")
    for request in ("VIDIOC_REQBUFS", "VIDIOC_QBUF", "VIDIOC_STREAMON"):
        found.expect(f"{request} is named", request in notes, True)


@case(r"""
set_controls $webcam percentage_of_dropped_buffers=10,wrap_sequence_number=1
begin_record dropped $webcam $plain -s 320x180 -r 60 -t 3s
sleep 1
set_controls $webcam percentage_of_dropped_buffers=0
wait $(<dropped.pid)
""")
def dropped_frames(found):
    """frames that the driver drops are counted as its loss, but none are where its frame numbers start again from 0"""
    _, report = sound(found, "dropped", (320, 180), 60)
    found.expect_between("lost by the driver", report["lost"]["driver"], 1, 25)
    found.expect("lost elsewhere", report["framesLost"] - report["lost"]["driver"], 0)
    found.expect_between("frames and losses of three seconds", report["framesWritten"] + report["framesLost"], 179, 181)


@case(r"""
set_controls $hdmi quantization=1
begin_record small $webcam $small -t 3s
record large $hdmi -p 720p60 --input-format NV12 --frames 60
wait $(<small.pid)
""")
def two_at_once(found):
    """two devices at once, one of them at 720p60"""
    for name, size, rate in (("small", (320, 180), 30), ("large", (1280, 720), 60)):
        _, report = sound(found, name, size, rate)
        found.expect(f"{name}: frames lost", report["framesLost"], 0)


@case(r"""
begin_record first $webcam $small -t 30s --control brightness=200
pidof capstan >holder.out
record second $webcam $small --frames 15
sleep 2
pkill -KILL -x capstan
wait $(<first.pid)
v4l2-ctl -d $webcam -C brightness >killed.out
record third $webcam $small --frames 15
v4l2-ctl -d $webcam -C brightness >after.out
ls >files.out
""")
def busy_and_killed(found):
    """EBUSY by a second process, SIGKILL to the first: its fragments play, and the next start puts its control back"""
    found.expect("second: exit code", found.status("second"), 4)
    found.expect("second: who holds the device", f"process {found.text('holder.out').strip()}" in found.text("second.err"), True)
    found.expect("second: no file", "second.mp4" in found.text("files.out"), False)
    found.expect("first: killed", found.status("first"), 137)
    unfinished = found.movie("first.recording")
    found.expect_between("first: frames", unfinished.frames, 45, 150)
    found.expect("first: gaps", unfinished.missing(30), 0)
    found.expect("brightness after the kill", found.text("killed.out").strip(), "brightness: 200")
    sound(found, "third", (320, 180), 30)
    found.expect("brightness at the end", found.text("after.out").strip(), "brightness: 128")
