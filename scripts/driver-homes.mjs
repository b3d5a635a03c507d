// Which packages may be imported where: the part of .dependency-cruiser.mjs that grows with each dependency.

/** A package, wherever npm installs it, together with its types. */
const pack = (name) => `(^|/)node_modules/(@types/)?${name}/`

/** Browser packages; they are bundled, and not installed in the images. */
export const inBrowsers = '^services/web/browser/'

/** Which files may import each driver: one home, and the tests that need it directly. */
const drivers = {
  pg: ['^libs/(postgres|embedded-postgres|testing)/', '^bench/', '^e2e/', '\\.test\\.ts$'],
  knex: ['^libs/postgres/'],
  '@grpc/grpc-js': ['^libs/grpc/', '^proto/gen/', '^services/[^/]+/adapters/grpc-', '^e2e/'],
  'grpc-health-check': ['^libs/grpc/'],
  '@grpc/reflection': ['^libs/grpc/'],
  'lru-cache': ['^gateway/', '^libs/cache/'],
  '@bufbuild/protobuf': ['^proto/gen/', '^scripts/', '^libs/grpc/reflection\\.test\\.ts$'],
  express: ['^gateway/', '^bench/baselines/'],
  autocannon: ['^bench/'],
  'http-proxy-middleware': ['^gateway/features/(pages|subscriptions)/'],
  'content-disposition': ['^gateway/data/'],
  zod: [
    '^gateway/',
    '^clients/mcp/',
    '^engine/tools/',
    '^engine/contract/parse-rules\\.ts$',
    '^clients/cli/(tool-options|local-tools)\\.ts$',
    '^e2e/harness/described-responses\\.ts$',
    '\\.test\\.ts$',
  ],
  '@modelcontextprotocol/server': [
    '^clients/mcp/',
    '^clients/cli/(serve-mcp|mcp-shims)\\.ts$',
    '^gateway/features/mcp/',
  ],
  '@modelcontextprotocol/client': ['^e2e/'],
  jsonrepair: ['^engine/tools/json/'],
  jose: ['^gateway/auth/', '^dev/issuer/', '^e2e/harness/'],
  'oidc-provider': ['^dev/issuer/'],
  pino: ['^libs/log/'],
  '@opentelemetry/[^/]+': ['^libs/telemetry/'],
  redis: ['^libs/redis/', '\\.test\\.ts$'],
  'ipaddr\\.js': ['^gateway/rate-limits/'],
  stripe: ['^services/billing/(adapters|testing)/', '^dev/payment-sandbox/'],
  cockatiel: ['^services/billing/adapters/'],
  '@aws-sdk/client-s3': ['^services/content/adapters/', '^libs/testing/'],
  '@aws-sdk/lib-storage': ['^services/content/adapters/'],
  s3rver: ['^libs/testing/'],
  testcontainers: ['^libs/testing/'],
  wabt: ['^scripts/'],
  '@hey-api/openapi-ts': ['^scripts/'],
  '@actions/workflow-parser': ['^scripts/'],
  '@redocly/openapi-core': ['^e2e/'],
  vite: [
    '^services/web/browser/(build/|vite\\.config\\.ts$)',
    '^clients/(cli|action)/vite\\.config\\.ts$',
    '^deploy/launcher/vite\\.config\\.mjs$',
  ],
  react: [`${inBrowsers}dashboard/`],
  'react-dom': [`${inBrowsers}dashboard/`],
  'react-aria-components': [`${inBrowsers}dashboard/`],
  '@tanstack/react-query': [`${inBrowsers}dashboard/`],
  wouter: [`${inBrowsers}dashboard/`],
  oauth4webapi: [`${inBrowsers}dashboard/session/`, '^clients/cli/sign-in/', '^e2e/'],
  '@lezer/[^/]+': [`${inBrowsers}viewer/code-colours\\.ts$`],
  marked: ['^services/web/rendering/', `${inBrowsers}build/`],
  'json-2-csv': ['^engine/tools/testing/'],
  '@noble/hashes': ['^engine/tools/encoding/'],
  yaml: [
    '^engine/tools/(yaml|testing)/',
    `${inBrowsers}document/`,
    '^libs/testing/kubernetes/',
    '^e2e/harness/',
    '^scripts/',
    '\\.test\\.ts$',
  ],
  'sql-formatter': ['^engine/tools/sql/', `${inBrowsers}document/`],
  uqr: [inBrowsers, '^clients/cli/'],
  commander: ['^clients/cli/'],
  'playwright-core': ['^e2e/', '^bench/'],
  'axe-core': ['^e2e/'],
  publint: ['^e2e/'],
  '@arethetypeswrong/core': ['^e2e/'],
  ajv: ['\\.test\\.ts$'],
  'fast-check': ['^e2e/', '\\.test\\.ts$', '-contract\\.ts$'],
}

/** A rule for each driver. */
export const driverHomes = Object.entries(drivers).map(([name, homes]) => ({
  name: `${name.replace('@', '').replace('/[^/]+', '').replace('/', '-').replace('\\.js', '')}-has-one-home`,
  comment: `Only these import ${name}: ${homes.join(' ')}`,
  from: { pathNot: homes },
  to: { path: pack(name) },
}))
