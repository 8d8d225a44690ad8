#!/bin/sh
# Installs a package in a bare root of Debian without Node, logs a first job into the page of `joblens start`, and says how
# many seconds that took: sh packaging/try-in-root.sh ROOT PACKAGE... (tar.xz, deb or whl), as root. Make the root by
# `debootstrap --variant=minbase --include=python3-venv,xz-utils stable ROOT`.
set -eu
root=$1
shift
[ ! -e "$root/usr/bin/node" ] || { echo "try-in-root.sh: $root has a Node; take a bare root" >&2; exit 2; }
tried=$root/opt/joblens-tried
trap 'umount "$root/proc" 2>/dev/null || :; rm -rf "$tried"' EXIT
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
for package in "$@"; do
  rm -rf "$tried"
  mkdir -p "$tried/home"
  cp "$package" "$tried"
  cat >"$tried/try.sh" <<'END'
set -eu
cd /opt/joblens-tried
case $1 in
  *.tar.xz)
    tar xf "$1"
    sh joblens-*/install.sh
    command=$HOME/.local/bin/joblens
    ;;
  *.deb)
    dpkg --install "$1"
    command=/usr/bin/joblens
    ;;
  *.whl)
    python3 -m venv venv
    venv/bin/pip install --quiet --no-index "$1"
    command=$PWD/venv/bin/joblens
    ;;
  *) echo "$1 is no tar.xz, deb or whl" >&2; exit 2 ;;
esac
"$command" start --no-demo --port 3499 >said 2>&1 &
page=$!
trap 'kill $page; wait $page' EXIT
until grep -q '^Stop with' said; do kill -0 $page || { cat said; exit 1; }; sleep 0.1; done
sed -n 's/^    \(export .*\)/\1/p' said >settings.sh
. ./settings.sh
"$command" run --mode enabled --job first -- echo 'the first job'
# The command that reads asks the same store as the page.
until "$command" log first --user "$(id -un)" 2>/dev/null | grep -q 'the first job'; do sleep 0.1; done
END
  begin=$(date +%s%N)
  env -i HOME=/opt/joblens-tried/home PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    chroot "$root" sh /opt/joblens-tried/try.sh "$(basename "$package")"
  end=$(date +%s%N)
  [ "${package%.deb}" = "$package" ] || chroot "$root" dpkg --purge joblens
  echo "$(basename "$package"): $(((end - begin) / 1000000)) ms from the file to the first job in the page"
done
