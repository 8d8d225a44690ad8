#!/bin/sh
# Makes the two tokens that the stack runs with, once: Grafana may only read the bucket, the ingester may only write it.
set -eu

: "${INFLUX_HOST:?}" "${INFLUX_TOKEN:?}" "${INFLUX_ORG:?}" "${INFLUX_BUCKET_NAME:?}"
secrets=/run/joblens

bucket_id=$(influx bucket list --name "$INFLUX_BUCKET_NAME" --hide-headers | cut -f 1)
if [ -z "$bucket_id" ]; then
  echo "Cannot create tokens: InfluxDB at $INFLUX_HOST has no bucket named $INFLUX_BUCKET_NAME" >&2
  exit 1
fi

create_token() { # file, permission, description
  if [ -s "$secrets/$1/token" ]; then
    echo "$1 token: kept"
    return
  fi
  mkdir -p "$secrets/$1"
  influx auth create "$2" "$bucket_id" --description "$3" --json |
    sed -n 's/^[[:space:]]*"token": "\(.*\)",*$/\1/p' >"$secrets/$1/token"
  if [ ! -s "$secrets/$1/token" ]; then
    echo "Cannot create the $1 token: 'influx auth create' gave none" >&2
    exit 1
  fi
  echo "$1 token: made"
}

create_token read --read-bucket "Joblens: Grafana reads"
create_token write --write-bucket "Joblens: the ingester writes"
