"""What a case left: words, exit codes, events and recordings. Everything is read here, outside the guest, and by other programs
than the one under test."""

import json
import pathlib
import statistics
import subprocess

CHECK = pathlib.Path(__file__).resolve().parent.parent / "Tools/check-recording"


class Movie:
    """A recording, as Tests/Tools/check-recording and ffmpeg see it."""

    def __init__(self, path):
        self.path = path
        done = subprocess.run([CHECK, path], capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(done.stderr.strip())
        self.found = json.loads(done.stdout)
        self.probe, self.track = self.found["probe"], self.found["track"]

    @property
    def is_ordinary(self):
        """One index and no fragments: what a clean end leaves."""
        boxes = self.found["boxes"]
        return boxes["order"].count("moov") == 1 and not boxes["moofs"] and not boxes["truncated"]

    @property
    def frames(self):
        return self.probe["nb_read_frames"]

    @property
    def rate(self):
        numerator, _, denominator = self.probe["avg_frame_rate"].partition("/")
        return int(numerator) / int(denominator or 1)

    def missing(self, rate):
        """Frames that a steady rate would have between the first and the last, and that are not there."""
        done = subprocess.run(["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0", self.path],
                              capture_output=True, text=True, check=True)
        times = sorted(float(line.strip(",")) for line in done.stdout.split())
        return sum(round((after - before) * rate) - 1 for before, after in zip(times, times[1:]))

    @property
    def size(self):
        return self.probe["width"], self.probe["height"]

    @property
    def ranges(self):
        """The range as the container's colr, the stream's VUI and ffprobe tell it."""
        return self.found["colr"]["fullRange"], self.found["vui"]["fullRange"], self.probe["color_range"]

    @property
    def matrix(self):
        return self.found["colr"]["matrix"], self.found["vui"]["matrix"]

    def luma(self, across):
        """The luma sample, as stored, in the lower part of the middle picture, at a part of its width."""
        at = self.frames // 2
        width, height = self.size
        crop = f"select=eq(n\\,{at}),extractplanes=y,crop=8:8:{int(width * across) - 4}:{height * 3 // 4}:exact=1"
        done = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", self.path, "-vf", crop, "-frames:v", "1", "-f", "rawvideo", "-"],
                              capture_output=True, check=True)
        return statistics.fmean(done.stdout)


class Evidence:
    def __init__(self, folder):
        self.folder = folder
        self.problems = []

    def judged_by(self, case):
        """What does not hold, a line each."""
        try:
            case.judge(self)
        except (AssertionError, OSError, ValueError, KeyError, TypeError, IndexError, StopIteration) as problem:
            self.problems.append(f"{type(problem).__name__}: {problem}")
        return self.problems

    def expect(self, what, found, wanted):
        if found != wanted:
            self.problems.append(f"{what}: {found!r} instead of {wanted!r}")

    def expect_between(self, what, found, lowest, highest):
        if not lowest <= found <= highest:
            self.problems.append(f"{what}: {found!r} is not within {lowest!r} and {highest!r}")

    def text(self, name):
        file = self.folder / name
        return file.read_text(errors="replace") if file.exists() else ""

    def status(self, name):
        return int(self.text(f"{name}.status"))

    def number(self, name):
        return float(self.text(name))

    def answer(self, name):
        """The answer of a command with --json."""
        return json.loads(self.text(f"{name}.out"))

    def events(self, name, kind):
        lines = [json.loads(line) for line in self.text(f"{name}.out").splitlines()]
        return [line for line in lines if line["event"] == kind]

    def report(self, name):
        return self.events(name, "finished")[-1]

    def movie(self, name):
        return Movie(self.folder / f"{name}.mp4")

    def story(self):
        """All that was said, for one who has to find out why a case does not hold."""
        out = []
        for file in sorted(self.folder.iterdir()):
            if file.suffix in (".out", ".err", ".status") or file.name == "log":
                out += [f"       | {file.name}: {line[:300]}" for line in self.text(file.name).splitlines()[-12:]]
        return "\n".join(out)
