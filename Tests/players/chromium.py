"""Chromium without a window: one start, one page that walks through the files and sends back what its canvas shows."""

import os
import subprocess
import threading

from player import DEADLINE, Picture, Player, end
from serving import Server, name

# In real time: with a virtual time budget no frame is ever decoded.
OPTIONS = ["--headless=new", "--no-sandbox", "--no-first-run", "--disable-extensions", "--force-color-profile=srgb",
           "--autoplay-policy=no-user-gesture-required"]
PAGE = """<!doctype html><body><script>
const once = (video, what) => new Promise((done, fail) => {
  video.addEventListener(what, done, {once: true});
  video.addEventListener("error", () => fail(new Error(video.error.message || "cannot play")), {once: true});
  setTimeout(() => fail(new Error("no " + what + " within 10 s")), 10000);
});
// On a busy machine "seeked" comes before the frame: the canvas then stays transparent.
async function draw(video, context, width, height) {
  for (let tries = 0; tries < 200; tries++) {
    context.drawImage(video, 0, 0);
    const pixels = context.getImageData(0, 0, width, height).data;
    if (pixels[3] === 255) return pixels;
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error("nothing to draw within 10 s");
}
async function show(number, path) {
  const video = document.createElement("video");
  try {
    video.muted = true;
    document.body.append(video);
    video.src = path;
    await once(video, "loadeddata");
    const seeked = once(video, "seeked");
    video.currentTime = video.duration / 2;
    await seeked;
    const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    const pixels = await draw(video, canvas.getContext("2d"), canvas.width, canvas.height);
    await fetch("/picture/" + number, {method: "POST", headers: {Width: canvas.width, Height: canvas.height}, body: pixels});
  } catch (problem) {
    await fetch("/failure/" + number, {method: "POST", body: String(problem.message)});
  }
  video.remove();
}
(async () => {
  for (const [number, path] of FILES.entries()) await show(number, path);
  await fetch("/done", {method: "POST"});
})();
</script></body>"""


class Chromium(Player):
    """As where there is a GPU: the same shaders, run by SwiftShader."""

    program = "chromium"
    drawing = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")

    def show(self, files, folder):
        shown = [Picture(error="the browser did not come to it") for _ in files]
        done = threading.Event()

        def receive(path, headers, body):
            kind, _, number = path[1:].partition("/")
            if kind == "picture":
                shown[int(number)] = Picture(int(headers["Width"]), int(headers["Height"]), 4, body)
            elif kind == "failure":
                shown[int(number)] = Picture(error=body.decode())
            else:
                done.set()

        paths = [name(number, path) for number, path in enumerate(files)]
        with Server({"/": PAGE.replace("FILES", str(paths))}, files, receive) as server:
            command = [self.program, *OPTIONS, *self.drawing, f"--user-data-dir={folder}", server.address]
            environment = {**os.environ, "HOME": folder}
            browser = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            done.wait(DEADLINE + 20 * len(files))  # each may wait 10 s twice
            end(browser)
        return shown


class ChromiumInSoftware(Chromium):
    """As where there is none. Its converter is another one, and 12 off in the blue of limited BT.709: 2.112, its factor, does not
    fit into seven bits at 1/64."""

    drawing = ("--disable-gpu",)
