# Copyright (c) 2026 The Nemesis developers
# SPDX-License-Identifier: MIT
"""Recipe of Nemesis for Spack 1. "make dist" fills in version, address and checksum."""

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *


class NemesisMpi(Package):
    """MPI 5.0 library on a message-passing subsystem with low latency, with the ABIs of the
    standard, MPICH and Open MPI, a launcher and tools."""

    homepage = "@ADDRESS@"
    url = "@ADDRESS@/nemesis-@VERSION@.tar.xz"

    license("MIT")

    version("@VERSION@", sha256="@SHA256@")

    variant("fortran", default=True, description="Compile modules for the Fortran compiler")
    variant(
        "fabrics",
        default="none",
        values=disjoint_sets(("none",), ("verbs", "ofi")),
        description="Networks besides TCP",
    )

    depends_on("c", type=("build", "run"))
    depends_on("fortran", type=("build", "run"), when="+fortran")
    depends_on("rust@1.95:", type="build")
    # Loaded at run time where they are there.
    depends_on("rdma-core", type="run", when="fabrics=verbs")
    depends_on("libfabric@1.17:", type="run", when="fabrics=ofi")

    provides("mpi@:5.0")

    requires("target=x86_64:", msg="Nemesis is built and tested for x86-64")
    requires("platform=linux", msg="Nemesis needs Linux")

    sanity_check_is_file = ["bin/mpicc", "bin/mpiexec", "include/mpi.h", "lib/libmpi_abi.so.1"]

    def install(self, spec, prefix):
        cargo = which("cargo", required=True)
        cargo("build", "--release", "--frozen", "--offline")
        Executable("scripts/install")(prefix)

    @property
    def headers(self):
        headers = find_headers("mpi", self.prefix.include, recursive=False)
        headers.directories = [self.prefix.include]
        return headers

    @property
    def libs(self):
        names = ["libmpi_abi"]
        if "fortran" in self.spec.last_query.extra_parameters:
            names.insert(0, "libmpifort_abi")
        return find_libraries(names, root=self.prefix.lib, shared=True, recursive=False)

    def setup_build_environment(self, env):
        env.set("CARGO_HOME", join_path(self.stage.path, "cargo-home"))

    def setup_run_environment(self, env):
        bin = self.prefix.bin
        for variable, name in self.wrappers().items():
            env.set(variable, join_path(bin, name))
        env.set("MPI_HOME", self.prefix)
        for name in ("rdma-core", "libfabric"):
            if name in self.spec:
                for folder in self.spec[name].libs.directories:
                    env.prepend_path("LD_LIBRARY_PATH", folder)

    def setup_dependent_build_environment(self, env, dependent_spec):
        for variable, name in self.wrappers().items():
            env.set(variable, join_path(self.prefix.bin, name))
        # The wrappers call the compilers of Spack, not those of PATH. A package has those of the
        # languages that it names.
        module = dependent_spec.package.module
        for language in ("cc", "cxx", "fc"):
            compiler = getattr(module, "spack_" + language, None)
            if compiler is not None:
                env.set("NEMESIS_" + language.upper(), compiler)

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = join_path(self.prefix.bin, "mpicc")
        self.spec.mpicxx = join_path(self.prefix.bin, "mpicxx")
        self.spec.mpifc = join_path(self.prefix.bin, "mpifort")
        self.spec.mpif77 = join_path(self.prefix.bin, "mpif77")

    @staticmethod
    def wrappers():
        """The variables by which builds find the compilers' wrappers."""
        return {
            "MPICC": "mpicc",
            "MPICXX": "mpicxx",
            "MPIFC": "mpifort",
            "MPIF90": "mpif90",
            "MPIF77": "mpif77",
        }

    def test_ring(self):
        """compile a ring of messages and run it on four processes"""
        mpicc = which(self.prefix.bin.mpicc)
        mpicc("-o", "ring", join_path(self.test_suite.current_test_cache_dir, "examples/ring.c"))
        mpiexec = which(self.prefix.bin.mpiexec)
        out = mpiexec("-n", "4", "./ring", output=str.split, error=str.split)
        check_outputs(r"4 ranks, .*\(right\)", out)

    @run_after("install")
    def keep_sources_of_tests(self):
        cache_extra_test_sources(self, ["examples"])
