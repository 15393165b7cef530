"""Runs mpi4py's own tests with arrays in memory of devices, which they see as CuPy's.

Arguments: mpi4py's folder of tests, then those of its runtests.py. The tests of buffers take all
arrays from a list of kinds (arrayimpl.ArrayBackends). Here the list has one kind: memory that
cuMemAlloc has allocated, behind __cuda_array_interface__, which the host cannot touch.
"""

import ctypes
import sys

sys.dont_write_bytecode = True
folder = sys.argv.pop(1)
sys.path.insert(0, folder)
sys.argv[0] = folder + "/runtests.py"

cuda = ctypes.CDLL("libcuda.so.1")
ADDRESS = ctypes.c_uint64
SIZE = ctypes.c_size_t
cuda.cuMemAlloc_v2.argtypes = [ctypes.POINTER(ADDRESS), SIZE]
cuda.cuMemFree_v2.argtypes = [ADDRESS]
cuda.cuMemcpy.argtypes = [ADDRESS, ADDRESS, SIZE]
cuda.cuDevicePrimaryCtxRetain.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int]
cuda.cuCtxSetCurrent.argtypes = [ctypes.c_void_p]
cuda.cuCtxGetCurrent.argtypes = [ctypes.POINTER(ctypes.c_void_p)]


def check(result):
    if result != 0:
        raise RuntimeError(f"the driver returns {result}")


check(cuda.cuInit(0))
context = ctypes.c_void_p()
check(cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))


def with_context():
    """Makes the device current: a new thread has none."""
    now = ctypes.c_void_p()
    check(cuda.cuCtxGetCurrent(ctypes.byref(now)))
    if not now.value:
        check(cuda.cuCtxSetCurrent(context))


def run():
    import arrayimpl
    import numpy

    class Flat:
        """All elements of an array in their order; assignments go to the device."""

        def __init__(self, array):
            self.whole = array

        def __len__(self):
            return self.whole.size

        def __getitem__(self, i):
            return self.whole.array.flat[i]

        def __setitem__(self, i, v):
            host = self.whole.array
            host.flat[i] = v.array if isinstance(v, DeviceArray) else v
            self.whole.put(host)

        def __iter__(self):
            return iter(self.whole.array.flat)

    class DeviceArray(arrayimpl.BaseArray):
        backend = "cuda"
        TypeMap = arrayimpl.ArrayNumPy.TypeMap

        def __init__(self, arg, typecode, shape=None, readonly=False):
            host = arrayimpl.ArrayNumPy(arg, typecode, shape).array
            self.shape, self.dtype = host.shape, host.dtype
            self.pointer = ADDRESS()
            with_context()
            check(cuda.cuMemAlloc_v2(ctypes.byref(self.pointer), max(host.nbytes, 1)))
            self.put(host)
            self.__cuda_array_interface__ = {
                "version": 3,
                "data": (self.address, readonly),
                "typestr": arrayimpl.typestr(self.typecode, self.itemsize),
                "shape": self.shape,
            }

        def __del__(self):
            if cuda is not None:
                with_context()
                cuda.cuMemFree_v2(self.pointer)

        def put(self, host):
            host = numpy.ascontiguousarray(host)
            with_context()
            check(cuda.cuMemcpy(self.pointer, host.ctypes.data, host.nbytes))

        @property
        def array(self):
            host = numpy.empty(self.shape, self.dtype)
            with_context()
            check(cuda.cuMemcpy(host.ctypes.data, self.pointer, host.nbytes))
            return host

        def __setitem__(self, i, v):
            host = self.array
            host[i] = v
            self.put(host)

        def as_raw(self):
            return self

        @property
        def address(self):
            return self.pointer.value

        @property
        def typecode(self):
            return self.dtype.char

        @property
        def itemsize(self):
            return self.dtype.itemsize

        @property
        def flat(self):
            return Flat(self)

        @property
        def size(self):
            return self.array.size

    arrayimpl.ArrayBackends[:] = [DeviceArray]
    from main import main

    main(module=None)


run()
