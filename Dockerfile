# syntax=docker/dockerfile:1
# Targets: grafana (with the Joblens plugin built in), ingester (the `joblens` command), demo (a job to watch).

ARG NODE_VERSION=22.12
ARG GRAFANA_VERSION=12.4.0

FROM node:${NODE_VERSION}-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY core/package.json core/
COPY ingester/package.json ingester/
COPY ingester/bin ingester/bin/
COPY plugin/package.json plugin/
COPY standalone/package.json standalone/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM grafana/grafana:${GRAFANA_VERSION} AS grafana
# Outside /var/lib/grafana, which is a volume: an old volume must not hide a new plugin.
ENV GF_PATHS_PLUGINS=/usr/share/joblens/plugins \
    GF_PATHS_PROVISIONING=/usr/share/joblens/provisioning \
    GF_PLUGINS_ALLOW_LOADING_UNSIGNED_PLUGINS=joblens-app,joblens-datasource,joblens-panel \
    JOBLENS_DASHBOARDS=/usr/share/joblens/dashboards
COPY --from=build /src/plugin/dist /usr/share/joblens/plugins/joblens-app
COPY provisioning /usr/share/joblens/provisioning
COPY dashboards /usr/share/joblens/dashboards
COPY --chmod=755 provisioning/docker-entrypoint.sh /usr/share/joblens/docker-entrypoint.sh
ENTRYPOINT ["/usr/share/joblens/docker-entrypoint.sh", "/run.sh"]

FROM node:${NODE_VERSION}-bookworm-slim AS ingester
ENV NODE_ENV=production
COPY --from=build /src/ingester/package.json /opt/joblens/ingester/package.json
COPY --from=build /src/ingester/bin /opt/joblens/ingester/bin
COPY --from=build /src/ingester/dist /opt/joblens/ingester/dist
COPY --chmod=755 provisioning/docker-entrypoint.sh /opt/joblens/docker-entrypoint.sh
USER node
ENTRYPOINT ["/opt/joblens/docker-entrypoint.sh", "node", "/opt/joblens/ingester/bin/joblens.js"]

FROM node:${NODE_VERSION}-bookworm-slim AS demo
COPY standalone/demo /opt/joblens/demo
USER root
