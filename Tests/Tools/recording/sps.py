"""Reads an H.264 sequence parameter set bit by bit, with its VUI."""

from recording.bits import Bits


def skip_scaling(bits, chroma):
    for index in range(8 if chroma != 3 else 12):
        if bits.u(1):
            last = following = 8
            for _ in range(16 if index < 6 else 64):
                following = (last + bits.se()) % 256 if following else 0
                last = following or last


def parse_sps(data):
    bits = Bits.of_nal_unit(data[1:], "the SPS")
    sps = {"profile": bits.u(8), "constraints": bits.u(8), "level": bits.u(8)}
    bits.ue()
    sps["chromaFormat"], sps["bitDepth"] = 1, 8
    if sps["profile"] in (100, 110, 122, 244, 44, 83, 86, 118, 128):
        sps["chromaFormat"] = bits.ue()
        if sps["chromaFormat"] == 3:
            bits.u(1)
        sps["bitDepth"] = bits.ue() + 8
        bits.ue(), bits.u(1)
        if bits.u(1):
            skip_scaling(bits, sps["chromaFormat"])
    bits.ue()
    order = bits.ue()
    if order == 0:
        bits.ue()
    elif order == 1:
        bits.u(1), bits.se(), bits.se(), [bits.se() for _ in range(bits.ue())]
    sps["refFrames"] = bits.ue()
    bits.u(1)
    width, height = (bits.ue() + 1) * 16, (bits.ue() + 1) * 16
    frames_only = bits.u(1)
    if not frames_only:
        bits.u(1), (height := height * 2)
    bits.u(1)
    if bits.u(1):
        step_x, step_y = (2 if sps["chromaFormat"] in (1, 2) else 1), (2 if sps["chromaFormat"] == 1 else 1) * (2 - frames_only)
        width -= (bits.ue() + bits.ue()) * step_x
        height -= (bits.ue() + bits.ue()) * step_y
    sps["width"], sps["height"], sps["progressive"] = width, height, bool(frames_only)
    return sps, parse_vui(bits) if bits.u(1) else None


def parse_vui(bits):
    vui = dict.fromkeys(("fullRange", "primaries", "transfer", "matrix", "unitsInTick", "timeScale", "fixedFrameRate", "reorderFrames"))
    if bits.u(1) and bits.u(8) == 255:
        vui["sampleAspect"] = [bits.u(16), bits.u(16)]
    if bits.u(1):
        bits.u(1)
    vui["signalType"] = bool(bits.u(1))
    if vui["signalType"]:
        vui["videoFormat"], vui["fullRange"] = bits.u(3), bool(bits.u(1))
        if bits.u(1):
            vui["primaries"], vui["transfer"], vui["matrix"] = bits.u(8), bits.u(8), bits.u(8)
    if bits.u(1):
        bits.ue(), bits.ue()
    if bits.u(1):
        vui["unitsInTick"], vui["timeScale"], vui["fixedFrameRate"] = bits.u(32), bits.u(32), bool(bits.u(1))
    hrd = [skip_hrd(bits) for _ in range(2) if bits.u(1)]
    if hrd:
        bits.u(1)
    bits.u(1)
    if bits.u(1):
        bits.u(1), [bits.ue() for _ in range(4)]
        vui["reorderFrames"], vui["decBuffering"] = bits.ue(), bits.ue()
    return vui


def skip_hrd(bits):
    count = bits.ue() + 1
    bits.u(8), [(bits.ue(), bits.ue(), bits.u(1)) for _ in range(count)], bits.u(20)
