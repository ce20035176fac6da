# The bot as an image: the bundle, Node, and nothing else. docs/deploying.md says how to run it.
FROM node:26.10.0-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY sandbox/package.json sandbox/
# Without the scripts of packages: one brings the Node that this image already has.
RUN npm install --ignore-scripts
COPY . .
# The commit that the log names: docker build --build-arg COUNTERMAND_COMMIT="$(git rev-parse HEAD)" .
ARG COUNTERMAND_COMMIT
RUN npm run bundle

FROM node:26.10.0-slim
COPY --from=build /build/dist /opt/countermand
RUN install --directory --owner=1000 --group=1000 --mode=0700 /data
# The image's own user "node", by its id, so that an orchestrator can tell that it is not root.
USER 1000:1000
ENV NODE_ENV=production
# The default of STORAGE_URL, data/countermand.db, is in the volume from here. Set in the image, it would exclude STORAGE_URL_FILE.
WORKDIR /
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=8", "--no-allocation-site-pretenuring", "/opt/countermand/countermand.mjs"]
