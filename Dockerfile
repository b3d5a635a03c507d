# One image a process, and `all-in-one`, which is `npm start` in a container: docker buildx bake --file docker-bake.hcl,
# or docker build --target gateway -t snipkeep/gateway .
# A release pins NODE_IMAGE by its digest: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY proto proto
COPY libs libs
COPY engine engine
COPY shared shared
COPY gateway gateway
COPY services services
COPY deploy deploy
COPY dev dev
COPY clients clients
COPY docs docs
RUN npm run build:server && npm run build:bundles && find dist -name '*.map' -delete

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
# Each image gets only what its processes import (docs/decisions/0074-each-image-has-the-packages-of-its-process.md).
COPY deploy/container/packages.json deploy/container/prune-packages.mjs deploy/container/
RUN node deploy/container/prune-packages.mjs /packages

# What all images share, but for the packages: those of all-in-one are others.
FROM ${NODE_IMAGE} AS foundation
ARG VERSION=0.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Snipkeep" \
      org.opencontainers.image.description="The self-hosted backend for tools that format data" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
ENV NODE_ENV=production
WORKDIR /app
COPY --chmod=0644 package.json ./
COPY --from=build /app/dist/proto dist/proto
COPY --from=build /app/dist/libs dist/libs
COPY --from=build /app/dist/engine dist/engine
COPY --from=build /app/dist/shared dist/shared
COPY --from=build /app/dist/deploy/container dist/deploy/container
USER 10001:10001
STOPSIGNAL SIGTERM

FROM foundation AS gateway
ENV HOST=0.0.0.0 PORT=8080 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
COPY --from=packages /packages/gateway/node_modules node_modules
COPY --from=build /app/dist/gateway dist/gateway
COPY --from=build /app/dist/clients dist/clients
EXPOSE 8080 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "http", "PORT", "/healthz"]
CMD ["node", "dist/gateway/main.js"]

FROM foundation AS web
ENV WEB_HOST=0.0.0.0 WEB_PORT=8090 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
COPY --from=packages /packages/web/node_modules node_modules
COPY --from=build /app/dist/services/web dist/services/web
EXPOSE 8090 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "http", "WEB_PORT", "/healthz"]
CMD ["node", "dist/services/web/main.js"]

FROM foundation AS grpc-service
ENV GRPC_HOST=0.0.0.0 GRPC_HEALTH_PORT=50050 METRICS_HOST=0.0.0.0 METRICS_PORT=9464
EXPOSE 50050 9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "grpc", "GRPC_HEALTH_PORT"]

FROM grpc-service AS content
ENV GRPC_PORT=50051
COPY --from=packages /packages/content/node_modules node_modules
COPY --from=build /app/dist/services/content dist/services/content
EXPOSE 50051
CMD ["node", "dist/services/content/main.js"]

FROM grpc-service AS identity
ENV GRPC_PORT=50052
COPY --from=packages /packages/identity/node_modules node_modules
COPY --from=build /app/dist/services/identity dist/services/identity
EXPOSE 50052
CMD ["node", "dist/services/identity/main.js"]

FROM grpc-service AS activity
ENV GRPC_PORT=50053
COPY --from=packages /packages/activity/node_modules node_modules
COPY --from=build /app/dist/services/activity dist/services/activity
EXPOSE 50053
CMD ["node", "dist/services/activity/main.js"]

FROM grpc-service AS billing
ENV GRPC_PORT=50054 BILLING_WEBHOOK_HOST=0.0.0.0 BILLING_WEBHOOK_PORT=8091
COPY --from=packages /packages/billing/node_modules node_modules
COPY --from=build /app/dist/services/billing dist/services/billing
EXPOSE 50054 8091
CMD ["node", "dist/services/billing/main.js"]

FROM grpc-service AS tools
ENV GRPC_PORT=50055
COPY --from=packages /packages/tools/node_modules node_modules
COPY --from=build /app/dist/services/tools dist/services/tools
EXPOSE 50055
CMD ["node", "dist/services/tools/main.js"]

# Development parts: they refuse to start in production. The user has a name here, for initdb of all-in-one asks for it.
FROM foundation AS development-part
ENV NODE_ENV=development DATA_DIR=/data
USER root
RUN ["node", "-e", "fs.mkdirSync('/data', { mode: 0o700 }); fs.chownSync('/data', 10001, 10001); fs.appendFileSync('/etc/passwd', 'snipkeep:x:10001:10001::/data:/usr/sbin/nologin' + os.EOL)"]
USER 10001:10001
VOLUME /data

FROM development-part AS issuer
ENV DEV_ISSUER_HOST=0.0.0.0 DEV_ISSUER_PORT=8081
COPY --from=packages /packages/issuer/node_modules node_modules
COPY --from=build /app/dist/dev/issuer dist/dev/issuer
COPY --from=build /app/dist/deploy/launcher dist/deploy/launcher
EXPOSE 8081
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "http", "DEV_ISSUER_PORT", "/.well-known/openid-configuration"]
CMD ["node", "dist/dev/issuer/main.js"]

FROM development-part AS sandbox
ENV SANDBOX_HOST=0.0.0.0 SANDBOX_PORT=8082
COPY --from=packages /packages/sandbox/node_modules node_modules
COPY --from=build /app/dist/dev/payment-sandbox dist/dev/payment-sandbox
EXPOSE 8082
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "http", "SANDBOX_PORT", "/healthz"]
CMD ["node", "dist/dev/payment-sandbox/main.js"]

FROM ${NODE_IMAGE} AS all-packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY --from=build /app/dist/libs dist/libs
COPY --from=build /app/dist/shared dist/shared
COPY --from=build /app/dist/deploy/container dist/deploy/container
# The package of Postgres cannot hold links to its libraries; they are made here, where the file system can be written to.
RUN ["node", "dist/deploy/container/link-postgres.js"]

# Everything in one container, with Postgres, an issuer and a sandbox for payments: to try it, not to run it for others.
FROM development-part AS all-in-one
ENV HOST=0.0.0.0 PORT=8080 SANDBOX_HOST=0.0.0.0 DEV_ISSUER_HOST=0.0.0.0
COPY --from=all-packages /app/node_modules node_modules
COPY --from=build /app/dist dist
EXPOSE 8080 8081 8082
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --start-interval=1s --retries=3 \
    CMD ["node", "dist/deploy/container/health-probe.js", "http", "PORT", "/readyz"]
CMD ["node", "dist/deploy/launcher/main.js"]
