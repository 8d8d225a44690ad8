# Targets: grafana (with the Joblens plugin built in), ingester (the `joblens` command), demo (a job to watch).

# Node by the tag of its line, which gets every patch: no digest is kept that two public sources do not confirm.
ARG NODE_IMAGE=node:22-bookworm
ARG NODE_SLIM_IMAGE=node:22-bookworm-slim
ARG GRAFANA_IMAGE=grafana/grafana:12.4.0@sha256:b0ae311af06228bcfd4a620504b653db80f5b91e94dc3dc2a5b7dab202bcde20

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY client/package.json client/
COPY core/package.json core/
COPY ingester/package.json ingester/
COPY ingester/bin ingester/bin/
COPY plugin/package.json plugin/
COPY standalone/package.json standalone/
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM ${GRAFANA_IMAGE} AS grafana
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

FROM ${NODE_SLIM_IMAGE} AS ingester
# It keeps its state in /var/lib/joblens: mount a volume there. A new volume takes over the owner of that folder.
ENV NODE_ENV=production \
    XDG_STATE_HOME=/var/lib
RUN install -d -o node -g node -m 700 /var/lib/joblens && install -d -o node -g node /jobs
COPY --from=build /src/ingester/package.json /opt/joblens/ingester/package.json
COPY --from=build /src/ingester/bin /opt/joblens/ingester/bin
COPY --from=build /src/ingester/dist /opt/joblens/ingester/dist
COPY --chmod=755 provisioning/docker-entrypoint.sh /opt/joblens/docker-entrypoint.sh
USER node
ENTRYPOINT ["/opt/joblens/docker-entrypoint.sh", "/opt/joblens/ingester/bin/joblens"]

FROM ${NODE_SLIM_IMAGE} AS demo
RUN install -d -o node -g node /jobs
COPY standalone/demo /opt/joblens/demo
USER node
