"""`python -m joblens` is the command `joblens` of this environment."""

import os
import sys
import sysconfig

scheme = None if sys.prefix != sys.base_prefix or not os.path.exists(os.path.join(sysconfig.get_path("scripts", "posix_user"), "joblens")) else "posix_user"
scripts = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
command = os.path.join(scripts, "joblens")
os.execv(command, [command, *sys.argv[1:]])
