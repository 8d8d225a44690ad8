#!/bin/sh
# Starts the command beside this environment's Python, without Python.
self=$0
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=${self%/*}/$link ;;
  esac
done
exec "${self%/*}/../lib/joblens/bin/joblens" "$@"
