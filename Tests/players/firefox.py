"""Firefox ESR without a window, one screenshot a file: its canvas reads every full-range file as limited, its window does not."""

import os
import subprocess

from player import DEADLINE, Picture, Player, end, read_image
from serving import Server, name

PAGE = '<!doctype html><style>body {{ margin: 0; background: #000 }} video {{ display: block }}</style><video src="{path}" muted preload="auto"></video>'


class Firefox(Player):
    program = "firefox-esr"

    def show(self, files, folder):
        paths = [name(number, path) for number, path in enumerate(files)]
        pages = {f"/page{number}": PAGE.format(path=path) for number, path in enumerate(paths)}
        with Server(pages, files) as server:
            return [self.shoot(f"{server.address}/page{number}", os.path.join(folder, f"{number}.png"), folder) for number in range(len(files))]

    def shoot(self, page, target, folder):
        command = [self.program, "--headless", "--no-remote", "--profile", folder, "--window-size", "1920,1080", "--screenshot", target, page]
        environment = {**os.environ, "HOME": folder}
        browser = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            browser.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            return Picture(error=f"no screenshot within {DEADLINE} s")
        finally:
            end(browser)
        return read_image(target)
