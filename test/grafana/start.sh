#!/usr/bin/env bash
# usage: test/grafana/start.sh VERSION
# Starts InfluxDB 1.8 on port 8086 and a Grafana of this version on port 3000, with the built plugin and the dashboards.
set -euo pipefail
version=$1
cd "$(dirname "$0")/../.."

docker run --detach --name joblens-influxdb --network host -e INFLUXDB_DB=joblens influxdb:1.8 >/dev/null
docker run --detach --name joblens-grafana --network host \
  -e GF_AUTH_ANONYMOUS_ENABLED=true \
  -e GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS=joblens-app,joblens-datasource,joblens-panel \
  -e JOBLENS_DASHBOARDS=/var/lib/joblens/dashboards \
  -e JOBLENS_ALERTS_PAUSED=true \
  -v "$PWD/plugin/dist:/var/lib/grafana/plugins/joblens-app:ro" \
  -v "$PWD/dashboards:/var/lib/joblens/dashboards:ro" \
  -v "$PWD/provisioning/dashboards:/etc/grafana/provisioning/dashboards:ro" \
  -v "$PWD/provisioning/alerting:/etc/grafana/provisioning/alerting:ro" \
  -v "$PWD/test/grafana/datasources:/etc/grafana/provisioning/datasources:ro" \
  "grafana/grafana:$version" >/dev/null

for _ in $(seq 60); do
  if curl --silent --fail http://127.0.0.1:3000/api/health >/dev/null && curl --silent --fail http://127.0.0.1:8086/ping; then
    exit 0
  fi
  sleep 1
done
docker logs joblens-grafana
exit 1
