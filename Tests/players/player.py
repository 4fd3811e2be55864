"""What players have in common: are they there, run them to an end, the picture they show."""

import dataclasses
import os
import shutil
import signal
import subprocess

DEADLINE = 120  # seconds for one start of a player


@dataclasses.dataclass
class Picture:
    """Bytes R G B (A), row by row; or why there is none."""

    width: int = 0
    height: int = 0
    channels: int = 3
    pixels: bytes = b""
    error: str | None = None


class Player:
    program = ""

    def version(self):
        """Its name and number, or None where it is not installed."""
        if shutil.which(self.program) is None:
            return None
        done = subprocess.run([self.program, "--version"], capture_output=True, text=True, check=False)
        return done.stdout.strip().splitlines()[0]


def end(process):
    """A browser is many processes: they are a group of their own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def size_of(path):
    """Width and height of a video or an image."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return tuple(map(int, done.stdout.split(",")[:2]))


def read_image(path):
    """A PNG as R G B, by ffmpeg, which converts nothing in it."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=False)
    return Picture(error="the player left no picture") if raw.returncode else Picture(*size_of(path), 3, raw.stdout)
