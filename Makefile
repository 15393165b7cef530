# Nemesis: make, make demo, make check, make mpi4py, make bench, make docs, make install PREFIX=..., make clean. Each word is a script that anyone can read.

PREFIX ?= /usr/local

.PHONY: all demo check mpi4py bench docs install clean
all:
	@scripts/bootstrap
	@scripts/build

demo: all
	@scripts/demo

check:
	@scripts/bootstrap
	@scripts/check

mpi4py: all
	@scripts/test-mpi4py

bench: all
	@scripts/bench

docs:
	@scripts/docs

# Builds only if nothing is built yet, so that 'sudo make install' needs no compiler.
install:
	@test -e target/release/libmpi_abi.so || $(MAKE) all
	@scripts/install "$(PREFIX)"

clean:
	@rm -rf build target
