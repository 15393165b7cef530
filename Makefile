# Nemesis: make, make demo, make check, make check-quick, make check-verbs, make check-nfs, make
# check-aarch64, make mpi4py, make bench, make docs, make wheel, make check-wheel, make dist, make
# check-dist, make deb, make check-deb, make install PREFIX=..., make uninstall PREFIX=..., make
# clean. Each target runs a script or a command of xtask.

PREFIX ?= /usr/local

.PHONY: all demo check check-quick check-verbs check-nfs check-aarch64 mpi4py bench docs
.PHONY: wheel check-wheel dist check-dist deb check-deb install uninstall clean
all:
	@scripts/bootstrap build
	@scripts/build

demo: all
	@scripts/demo

check:
	@scripts/bootstrap
	@scripts/check

check-quick:
	@scripts/bootstrap
	@scripts/check -q

# Needs QEMU and a kernel's package, and is no part of 'make check'. 77: one of them is missing.
check-verbs: all
	@scripts/bootstrap
	@scripts/check-verbs || [ $$? = 77 ]

# Needs the NFS server, too.
check-nfs: all
	@scripts/bootstrap
	@scripts/check-nfs || [ $$? = 77 ]

# Needs cross compilers and QEMU's user mode, which is slow.
check-aarch64:
	@scripts/bootstrap
	@cargo xtask check-aarch64 || [ $$? = 77 ]

mpi4py: all
	@scripts/bootstrap
	@scripts/test-mpi4py

bench: all
	@scripts/bootstrap
	@scripts/bench

docs:
	@scripts/docs

# A wheel for pip, in build/wheel; its tools come from PyPI.
wheel:
	@scripts/bootstrap build
	@cargo xtask wheel

# Installs the wheel in empty environments of Python, beside other wheels with an MPI library, and,
# where root and debootstrap are there, in an old distribution.
check-wheel:
	@cargo xtask check-wheel

# The last commit as an archive that builds without a network, and recipes for it, in build/dist.
dist:
	@scripts/bootstrap build
	@cargo xtask dist

# Makes the archive twice, and compiles it in an empty cache without a network.
check-dist:
	@scripts/bootstrap build
	@cargo xtask dist --check

# Debian packages in build/deb; needs debhelper, lintian and cmark-gfm.
deb:
	@scripts/bootstrap build
	@cargo xtask deb

# Installs them in new systems of Debian 12 and 13; needs root, debootstrap and a mirror.
check-deb:
	@scripts/bootstrap build
	@cargo xtask deb --check

# Builds only if nothing is built yet, so that 'sudo make install' needs no compiler.
install:
	@test -e target/release/libmpi_abi.so || $(MAKE) all
	@scripts/install "$(PREFIX)"

# Needs no compiler, and not the build that was installed.
uninstall:
	@scripts/uninstall "$(PREFIX)"

clean:
	@rm -rf build target
