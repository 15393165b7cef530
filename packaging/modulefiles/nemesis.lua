-- Nemesis @VERSION@, for Lmod. It finds the installation from its own place,
-- PREFIX/share/nemesis/modulefiles/nemesis/VERSION.lua, so the tree may be moved:
-- module use PREFIX/share/nemesis/modulefiles

local prefix = myFileName():gsub("/share/nemesis/modulefiles/nemesis/[^/]*$", "")

help([[
Nemesis @VERSION@, an MPI library: mpicc, mpifort, mpiexec, and the command nemesis.
]])
whatis("Name: Nemesis")
whatis("Version: @VERSION@")
whatis("Description: MPI 5.0 library with launcher and compilers' wrappers")

family("mpi")

setenv("MPI_HOME", prefix)
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("LD_LIBRARY_PATH", pathJoin(prefix, "lib"))
prepend_path("PKG_CONFIG_PATH", pathJoin(prefix, "lib/pkgconfig"))
prepend_path("CMAKE_PREFIX_PATH", prefix)
