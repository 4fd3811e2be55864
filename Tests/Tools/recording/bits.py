"""Reads a header bit by bit: fixed lengths, Exp-Golomb codes, AV1's own variable lengths."""


class Unreadable(Exception):
    """The file cannot be judged; the message is for the user."""


class Bits:
    def __init__(self, data, what="the header"):
        self.bits, self.at, self.what = "".join(f"{byte:08b}" for byte in bytes(data)), 0, what

    @classmethod
    def of_nal_unit(cls, data, what):
        """Without the emulation prevention bytes of ITU-T H.264 7.3.1 and H.265 7.3.1.1."""
        return cls(bytes(data).replace(b"\0\0\3", b"\0\0"), what)

    def u(self, count):
        self.at += count
        if self.at > len(self.bits):
            raise Unreadable(f"{self.what} ends too early")
        return int(self.bits[self.at - count : self.at] or "0", 2)

    def flag(self):
        return bool(self.u(1))

    def ue(self):
        zeros = 0
        while not self.u(1):
            zeros += 1
        return (1 << zeros) - 1 + self.u(zeros)

    def se(self):
        code = self.ue()
        return (code + 1) // 2 if code % 2 else -(code // 2)


def color(wide=None, primaries=None, transfer=None, matrix=None):
    """What one place says; None where it has no word for it, 2 where it says "unspecified" (ISO/IEC 23091-2)."""
    return {"fullRange": wide, "primaries": primaries, "transfer": transfer, "matrix": matrix}
