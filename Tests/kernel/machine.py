"""Debian's stock kernel in qemu's software emulation, with this machine's root filesystem, read-only, as its own."""

import lzma
import os
import pathlib
import shlex
import shutil
import subprocess

MODULES = ("virtio_pci", "9pnet_virtio", "9p")  # what the initramfs loads: enough to reach the root filesystem
KLIBC = pathlib.Path("/usr/lib/klibc/bin")  # comes with the kernel's package, and is what Debian's own initramfs uses
UDEV = pathlib.Path("/usr/lib/systemd/systemd-udevd")
GUEST = pathlib.Path(__file__).resolve().parent / "guest"
KERNEL_OPTIONS = "console=ttyS0 loglevel=4 panic=-1 mitigations=off nokaslr nopti tsc=reliable no_timer_check nowatchdog audit=0 apparmor=0"
KEPT_VARIABLES = ("PATH", "LD_LIBRARY_PATH", "GST_PLUGIN_PATH", "GST_PLUGIN_SYSTEM_PATH_1_0")


class Unavailable(Exception):
    """Something that a Debian package would bring is not there."""


class Kernel:
    """The newest installed kernel that has vivid."""

    def __init__(self):
        images = sorted(pathlib.Path("/boot").glob("vmlinuz-*"), key=version_key)
        usable = [image for image in images if list(modules_of(image).glob("kernel/**/vivid.ko*"))]
        if not usable:
            raise Unavailable("no kernel with vivid in /boot and /lib/modules (package linux-image-amd64)")
        self.image = usable[-1]
        self.modules = modules_of(self.image)

    def load_order(self, names):
        """The modules' files, each after those that it needs."""
        needs = {}
        for line in (self.modules / "modules.dep").read_text().splitlines():
            file, _, others = line.partition(":")
            needs[file] = others.split()
        by_name = {pathlib.Path(file).name.split(".")[0].replace("-", "_"): file for file in needs}
        order = []

        def add(file):
            for other in needs[file]:
                add(other)
            if file not in order:
                order.append(file)

        for name in names:
            add(by_name[name])
        return [self.modules / file for file in order]

    def unpacked(self):
        """The kernel itself out of its compressed image: to unpack that in emulation takes ten times as long."""
        image = self.image.read_bytes()
        at = image.find(b"\xfd7zXZ\0")
        while at >= 0:
            try:
                kernel = lzma.LZMADecompressor().decompress(image[at:])
                if kernel.startswith(b"\x7fELF"):
                    return kernel
            except lzma.LZMAError:
                pass
            at = image.find(b"\xfd7zXZ\0", at + 1)
        return image


def version_key(image):
    return [int(word) if word.isdigit() else 0 for word in image.name.replace("-", ".").split(".")]


def modules_of(image):
    return pathlib.Path("/lib/modules") / image.name.removeprefix("vmlinuz-")


def require_programs():
    packages = {"qemu-system-x86_64": "qemu-system-x86", "cpio": "cpio", "gst-inspect-1.0": "gstreamer1.0-tools", "v4l2-ctl": "v4l-utils",
                "ffprobe": "ffmpeg", "gcc": "gcc"}
    for program, package in packages.items():
        if not shutil.which(program):
            raise Unavailable(f"{program} is missing (package {package})")
    for path, package in ((KLIBC / "run-init", "klibc-utils"), (UDEV, "udev")):
        if not path.exists():
            raise Unavailable(f"{path} is missing (package {package})")


class Machine:
    """One guest, prepared in a folder of its own; `exchange` is the part of it that the guest sees and writes to."""

    def __init__(self, folder, kernel, settings, disks=()):
        """Disks are images; they become /dev/vda and so on."""
        self.folder, self.kernel, self.disks = pathlib.Path(folder), kernel, disks
        self.exchange = self.folder / "exchange"
        self.process = None
        (self.exchange / "results").mkdir(parents=True)
        (self.exchange / "cases").mkdir()
        shutil.copytree(GUEST, self.exchange / "guest")
        lines = [f"export {name}={shlex.quote(os.environ[name])}" for name in KEPT_VARIABLES if name in os.environ]
        lines += [f"{name}={shlex.quote(str(value))}" for name, value in settings.items()]
        (self.exchange / "settings").write_text("\n".join(lines) + "\n")
        self.write_registry()
        self.write_initramfs()
        subprocess.run(["gcc", "-O1", "-o", self.exchange / "idle", GUEST / "idle.c"], check=True)
        (self.folder / "vmlinux").write_bytes(kernel.unpacked())

    def write_registry(self):
        """GStreamer's list of plug-ins, made here: to load some 200 of them in emulation takes minutes."""
        environment = dict(os.environ, GST_REGISTRY=str(self.exchange / "registry"))
        subprocess.run(["gst-inspect-1.0", "fakesink"], env=environment, stdout=subprocess.DEVNULL, check=True)

    def write_initramfs(self):
        tree = self.folder / "initramfs"
        for name in ("bin", "lib", "root", "modules"):
            (tree / name).mkdir(parents=True)
        for program in ("sh", "mount", "insmod", "mkdir", "sleep", "poweroff", "run-init"):
            shutil.copy(KLIBC / program, tree / "bin")
        for library in pathlib.Path("/lib").glob("klibc-*.so"):
            shutil.copy(library, tree / "lib")
        order = self.kernel.load_order(MODULES)
        for file in order:
            shutil.copy(file, tree / "modules")
        (tree / "modules/order").write_text("".join(f"{file.name}\n" for file in order))
        shutil.copy(GUEST / "init", tree / "init")
        (tree / "init").chmod(0o755)
        names = "".join(f"{path.relative_to(tree)}\n" for path in sorted(tree.rglob("*")))
        with open(self.folder / "initramfs.cpio", "wb") as archive:
            subprocess.run(["cpio", "--quiet", "-o", "-H", "newc"], cwd=tree, input=names.encode(), stdout=archive, check=True)

    def share(self, tag, path, how):
        path = str(path).replace(",", ",,")
        return ["-fsdev", f"local,id={tag},path={path},security_model=none,multidevs=remap,{how}",
                "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]

    def command(self):
        # By counted instructions, one a nanosecond, the guest's clock is that of a processor of steady speed: it loses no
        # frame because this machine is slow or busy, it only takes longer. Some features cost more in emulation than
        # they save: copies by single bytes, five levels of page tables.
        return ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-nic", "none", "-no-reboot",
                "-machine", "pc,vmport=off,usb=off", "-cpu", "max,erms=off,fsrm=off,la57=off", "-smp", "1", "-m", "2048",
                "-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on,align=off",
                "-kernel", str(self.folder / "vmlinux"), "-initrd", str(self.folder / "initramfs.cpio"), "-append", KERNEL_OPTIONS,
                "-serial", f"file:{self.folder / 'console'}",
                *(word for disk in self.disks for word in ("-drive", f"file={disk},format=raw,if=virtio")),
                *self.share("root", "/", "readonly=on"), *self.share("exchange", self.exchange, "readonly=off")]

    def start(self):
        with open(self.folder / "qemu.log", "wb") as log:
            self.process = subprocess.Popen(self.command(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def stop(self):
        if self.is_running:
            self.process.kill()
            self.process.wait()

    def last_words(self):
        """What tells why a guest did not get far."""
        out = []
        for file in (self.folder / "qemu.log", self.folder / "console", self.exchange / "main.log"):
            if file.exists():
                out += [f"{file.name}: {line}" for line in file.read_text(errors="replace").splitlines()[-15:]]
        return "\n".join(out)
