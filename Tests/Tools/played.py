"""A camera that Tests/FakeCamera plays, for scripts: what a command needs to see it, and when it made which frame."""

import json
import os
import pathlib
import subprocess

TESTS = pathlib.Path(__file__).resolve().parent.parent
CHECK = TESTS / "Tools/check-recording"
CAPSTAN = TESTS.parent / ".build/release/capstan"
RATE = 60  # of the camera below, in the mode that is recorded: 720p60 MJPG


class PlayedCamera:
    """A Logitech C922 as /dev/video0, in a folder for its files."""

    def __init__(self, folder, **faults):
        """Faults are those of Tests/FakeCamera/README.md."""
        self.folder = pathlib.Path(folder)
        self.log = self.folder / "camera.log"
        subprocess.run(["make", "-s", "-C", TESTS / "FakeCamera", f"OUT={self.folder / 'fakecamera'}"], check=True)
        table = str(TESTS / "Fixtures/cameras/logitech_c922.json")
        configuration = self.folder / "camera.json"
        configuration.write_text(json.dumps({"devices": [{"node": 0, "table": table, "log": str(self.log), "faults": faults}]}))
        self.environment = dict(os.environ, FAKE_CAMERA=str(configuration), LD_PRELOAD=str(self.folder / "fakecamera/libfakecamera.so"),
                                XDG_STATE_HOME=str(self.folder), XDG_CONFIG_HOME=str(self.folder))

    def start(self, *command, **others):
        return subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, text=True, **others)

    def moment(self, event):
        """When something happened last, on the monotonic clock."""
        return float([line.split()[0] for line in self.log.read_text().splitlines() if line.split()[2] == event][-1])

    def frames_made(self, moment):
        """Frames since the last STREAMON until a moment of the monotonic clock. Their counters start at 0."""
        return int((moment - self.moment("streamon")) * RATE)


def check(file):
    """What Tests/Tools/check-recording says of a file."""
    done = subprocess.run([CHECK, file], capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.strip())
    return json.loads(done.stdout)
