"""Removes the section table of a Linux program, and the data that only it describes: `probe-trim.py PROGRAM`. The segment table
starts a program; the section table is for linkers and debuggers, and has 1.3 kB here."""

import pathlib
import struct
import sys


def trim(data):
    """The bytes up to the end of the last segment, in a 64-bit little-endian ELF file."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit("not a 64-bit little-endian ELF file")
    (table,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    # Each segment's offset and size in the file.
    ends = [sum(struct.unpack_from("<Q16xQ", data, table + size * i + 8)) for i in range(count)]
    kept = bytearray(data[: max(ends)])
    struct.pack_into("<Q", kept, 40, 0)  # e_shoff
    struct.pack_into("<HHH", kept, 58, 0, 0, 0)  # e_shentsize, e_shnum, e_shstrndx
    return bytes(kept)


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    path.write_bytes(trim(path.read_bytes()))
