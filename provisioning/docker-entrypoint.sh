#!/bin/sh
# Takes tokens from files, as the images of databases do (NAME_FILE gives NAME), then becomes the program.
set -eu

read_secret() { # name of the file, name of the variable
  if [ ! -s "$1" ]; then
    echo "Cannot start: the token file $1 is missing or empty; see the log of the service 'tokens'" >&2
    exit 1
  fi
  export "$2=$(cat "$1")"
}

if [ -n "${JOBLENS_READ_TOKEN_FILE:-}" ]; then read_secret "$JOBLENS_READ_TOKEN_FILE" JOBLENS_READ_TOKEN; fi
if [ -n "${INFLUX_TOKEN_FILE:-}" ]; then read_secret "$INFLUX_TOKEN_FILE" INFLUX_TOKEN; fi

exec "$@"
