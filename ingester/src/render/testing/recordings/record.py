"""Records what real programs print, byte by byte: record.py [NAME ...]. README.md says what it needs."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
from pathlib import Path

from local_server import HOST, start_local_server

FOLDER = Path(__file__).resolve().parent
ROWS, COLUMNS = 40, 120
TERMINAL, PIPE = "terminal", "pipe"


def python(name):
    return [sys.executable, str(FOLDER / "programs" / f"{name}.py")]


# Name of the recording: where the program prints to, and its command.
PROGRAMS = {
    "tqdm-one-bar": (PIPE, python("tqdm-one-bar")),
    "tqdm-nested": (PIPE, python("tqdm-nested")),
    "tqdm-four-bars": (PIPE, python("tqdm-four-bars")),
    "rich-progress": (TERMINAL, python("rich-progress")),
    "enlighten-bars": (TERMINAL, python("enlighten-bars")),
    "keras-progbar": (PIPE, python("keras-progbar")),
    "pip-install": (
        TERMINAL,
        [sys.executable, "-m", "pip", "install", "--no-cache-dir", "--target", "installed", "demo"],
    ),
    "npm-install": (TERMINAL, ["npm", "install", "demo"]),
    "docker-pull": (TERMINAL, ["docker", "pull", f"{HOST}/demo:latest"]),
    "watch": (
        TERMINAL,
        ["timeout", "--foreground", "--preserve-status", "2", "watch", "-t", "-n", "0.5", "date +%N; seq 3"],
    ),
    "curl": (PIPE, ["curl", "--limit-rate", "500k", "--output", "file.bin", f"http://{HOST}/file.bin"]),
}


def create_environment(folder, port):
    """Nothing of the user's settings, and the local server in place of every host."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": folder,
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "KERAS_BACKEND": "numpy",
        "http_proxy": f"http://127.0.0.1:{port}",
        "DOCKER_HOST": f"tcp://127.0.0.1:{port}",
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": f"http://{HOST}/simple/",
        "PIP_TRUSTED_HOST": HOST,
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PIP_ROOT_USER_ACTION": "ignore",
        "NPM_CONFIG_GLOBALCONFIG": os.path.join(folder, "npmrc"),
        "NPM_CONFIG_REGISTRY": f"http://{HOST}/",
        "NPM_CONFIG_PROXY": f"http://127.0.0.1:{port}",
        "NPM_CONFIG_UPDATE_NOTIFIER": "false",
        "NPM_CONFIG_AUDIT": "false",
        "NPM_CONFIG_FUND": "false",
    }


def record_pipe(command, **options):
    """Standard output and standard error in one pipe, as in the output file of a job."""
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=True, **options).stdout


def record_terminal(command, **options):
    own, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True, **options)
    os.close(theirs)
    output = b""
    while True:
        try:
            chunk = os.read(own, 65536)
        except OSError:  # EIO: the last writer has closed the terminal.
            break
        if not chunk:
            break
        output += chunk
    os.close(own)
    if process.wait() != 0:
        raise SystemExit(f"{command} ended with {process.returncode}: {output.decode(errors='replace')}")
    return output


def main():
    port = start_local_server()
    for name in sys.argv[1:] or PROGRAMS:
        where, command = PROGRAMS[name]
        with tempfile.TemporaryDirectory() as folder:
            record = record_terminal if where == TERMINAL else record_pipe
            output = record(command, cwd=folder, env=create_environment(folder, port))
        (FOLDER / f"{name}.raw").write_bytes(output)
        print(f"{name}: {len(output)} bytes")


main()
