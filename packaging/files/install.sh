#!/bin/sh
# Installs Joblens below a prefix, without root where that may be written: sh install.sh [PREFIX], by default ~/.local.
# A second run upgrades. What runs goes on with the files that it has opened.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
prefix=${1:-$HOME/.local}
case $prefix in
  -h | --help)
    echo 'Usage: sh install.sh [PREFIX]    (by default ~/.local)'
    exit 0
    ;;
  -*)
    echo "install.sh: unknown option $prefix; the only argument is the folder to install to" >&2
    exit 2
    ;;
esac
mkdir -p "$prefix/bin" "$prefix/lib" "$prefix/share"
new=$prefix/lib/.joblens.new.$$
old=$prefix/lib/.joblens.old.$$
trap 'rm -rf "$new"' EXIT
cp -R "$here/lib/joblens" "$new"
[ ! -e "$prefix/lib/joblens" ] || mv "$prefix/lib/joblens" "$old"
mv "$new" "$prefix/lib/joblens"
rm -rf "$old"
cp -R "$here/share/." "$prefix/share/"
ln -sf ../lib/joblens/bin/joblens "$prefix/bin/joblens"
if ! tested=$("$prefix/bin/joblens" self-test); then
  printf '%s\n' "$tested" >&2
  echo "install.sh: $prefix/bin/joblens does not work here; the lines above say what failed" >&2
  exit 1
fi
echo "joblens $("$prefix/bin/joblens" --version) is installed, and works: $prefix/bin/joblens"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Put it on your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
