"""mpv, whose image output writes a frame as it would be shown."""

import os
import subprocess

from player import DEADLINE, Picture, Player, read_image


class MPV(Player):
    program = "mpv"

    def show(self, files, folder):
        return [self.shoot(path, os.path.join(folder, str(number))) for number, path in enumerate(files)]

    def shoot(self, path, folder):
        command = [self.program, "--no-config", "--no-audio", "--frames=1", "--vo=image", "--vo-image-format=png", f"--vo-image-outdir={folder}", path]
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DEADLINE, check=False)
        except subprocess.TimeoutExpired:
            return Picture(error=f"no picture within {DEADLINE} s")
        pictures = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return read_image(os.path.join(folder, pictures[-1])) if pictures else Picture(error=done.stdout.strip()[-200:] or "no picture")
