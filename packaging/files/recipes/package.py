# For Spack 1.0 and newer, with the tarball of this machine beside the folder spack: see docs/software-stacks.md.
import os
import platform

from spack_repo.builtin.build_systems.generic import Package

from spack.package import *

_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
_CHECKSUMS = @CHECKSUMS@


class Joblens(Package):
    """Joblens watches what cluster jobs print, inside Grafana."""

    homepage = "@HOMEPAGE@"

    # From packages/joblens in the repository to the folder of the tarballs.
    _folder = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 5))
    _tarball = f"joblens-@VERSION@-linux-{_MACHINES.get(platform.machine())}.tar.xz"

    if _tarball in _CHECKSUMS:
        version("@VERSION@", sha256=_CHECKSUMS[_tarball], url=f"file://{_folder}/{_tarball}")

    def install(self, spec, prefix):
        which("sh", required=True)("install.sh", prefix)
