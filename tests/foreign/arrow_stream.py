"""Streams that are exported here by Arrow's C stream interface, and the values of Arrow arrays in a
form that compares: bits of floats, numbers of times, bytes of text."""

import ctypes
import os
import struct

import pyarrow as pa

_MODULE = ctypes.CDLL(os.path.join(os.environ["SLUICE_BUILD"], "tests", "libforeign_arrow_export.so"))
_MODULE.ArrowBytesInUse.restype = ctypes.c_int64
_CAPSULE_NEW = ctypes.pythonapi.PyCapsule_New
_CAPSULE_NEW.restype = ctypes.py_object
_CAPSULE_NEW.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class _ArrowArrayStream(ctypes.Structure):
    pass


_ArrowArrayStream._fields_ = [
    ("get_schema", ctypes.c_void_p),
    ("get_next", ctypes.c_void_p),
    ("get_last_error", ctypes.c_void_p),
    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_ArrowArrayStream))),
    ("private_data", ctypes.c_void_p),
]


class ExportError(Exception):
    pass


def bytes_in_use():
    return _MODULE.ArrowBytesInUse()


class ExportedFile:
    """The rows of a file as a stream, for anything that takes the Arrow PyCapsule interface."""

    def __init__(self, path, *options):
        self._stream = _ArrowArrayStream()
        message = ctypes.create_string_buffer(1000)
        if _MODULE.OpenArrowStream(path.encode(), " ".join(options).encode(),
                                   ctypes.byref(self._stream), message,
                                   ctypes.c_int64(len(message))) != 0:
            raise ExportError(message.value.decode(errors="replace"))

    def __arrow_c_stream__(self, requested_schema=None):
        return _CAPSULE_NEW(ctypes.addressof(self._stream), b"arrow_array_stream", None)

    def reader(self):
        return pa.RecordBatchReader._import_from_c(ctypes.addressof(self._stream))

    def close(self):
        """Releases the stream, if nobody took it."""
        if self._stream.release:
            self._stream.release(ctypes.byref(self._stream))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def _valid(array, values):
    return [value if ok else None for ok, value in zip(array.is_valid().to_pylist(), values)]


def _lists(array, elements):
    offsets = array.offsets.to_pylist()
    return _valid(array, [elements[begin:end] for begin, end in zip(offsets, offsets[1:])])


def values(array):
    """A Python object a row, exactly: a list for a list or map, pairs of name and value for a
    struct; whatever the layout, dictionary or extension type."""
    kind = array.type
    if isinstance(array, pa.ChunkedArray):
        return [value for chunk in array.chunks for value in values(chunk)]
    if isinstance(kind, pa.BaseExtensionType):
        return values(array.storage)
    if pa.types.is_dictionary(kind):
        entries = values(array.dictionary)
        return [None if code is None else entries[code] for code in array.indices.to_pylist()]
    if pa.types.is_struct(kind):
        fields = [(kind.field(i).name, values(array.field(i))) for i in range(kind.num_fields)]
        return _valid(array, [[(name, column[row]) for name, column in fields]
                              for row in range(len(array))])
    if pa.types.is_map(kind):
        return _lists(array, list(zip(values(array.keys), values(array.items))))
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _lists(array, values(array.values))
    if pa.types.is_temporal(kind) and kind != pa.month_day_nano_interval():
        return array.view(pa.int32() if kind.bit_width == 32 else pa.int64()).to_pylist()
    if pa.types.is_floating(kind):
        return array.view({16: pa.int16(), 32: pa.int32(), 64: pa.int64()}[kind.bit_width]).to_pylist()
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return array.cast(pa.large_binary()).to_pylist()
    return array.to_pylist()


def interval(value):
    """Parquet's 12 bytes of an interval as Arrow's months, days and nanoseconds."""
    months, days, milliseconds = struct.unpack("<III", value)
    return pa.MonthDayNano([months, days, milliseconds * 1_000_000])
