/** Imports that break a rule of `.dependency-cruiser.mjs`. */
export interface Plant {
  readonly rule: string
  /** The files that do wrong, with what each imports. */
  readonly wrong: Readonly<Record<string, readonly string[]>>
  /** Files that are there to be imported. */
  readonly beside?: Readonly<Record<string, readonly string[]>>
}

/** One for each package that has one home. */
export const packagePlants: readonly Plant[] = [
  { rule: 'pg-has-one-home', wrong: { 'services/a/adapters/other-store.ts': ['pg'] } },
  {
    rule: 'knex-has-one-home',
    wrong: {
      'services/a/adapters/knex-store.ts': ['knex'],
      'services/a/migrations/0003-third.ts': ['knex'],
    },
  },
  { rule: 'grpc-grpc-js-has-one-home', wrong: { 'services/a/adapters/push-store.ts': ['@grpc/grpc-js'] } },
  { rule: 'grpc-health-check-has-one-home', wrong: { 'gateway/health.ts': ['grpc-health-check'] } },
  { rule: 'grpc-reflection-has-one-home', wrong: { 'gateway/mirror.ts': ['@grpc/reflection'] } },
  { rule: 'lru-cache-has-one-home', wrong: { 'services/content/cache.ts': ['lru-cache'] } },
  { rule: 'bufbuild-protobuf-has-one-home', wrong: { 'libs/grpc/wire.ts': ['@bufbuild/protobuf'] } },
  { rule: 'express-has-one-home', wrong: { 'services/a/adapters/http-server.ts': ['express'] } },
  {
    rule: 'actions-workflow-parser-has-one-home',
    wrong: { 'e2e/harness/workflow.ts': ['@actions/workflow-parser'] },
  },
  { rule: 'wabt-has-one-home', wrong: { 'e2e/harness/translate.ts': ['wabt'] } },
  {
    rule: 'hey-api-openapi-ts-has-one-home',
    wrong: { 'e2e/harness/types-of-api.ts': ['@hey-api/openapi-ts'] },
  },
  { rule: 'autocannon-has-one-home', wrong: { 'e2e/harness/bombard.ts': ['autocannon'] } },
  { rule: 'http-proxy-middleware-has-one-home', wrong: { 'gateway/proxy.ts': ['http-proxy-middleware'] } },
  { rule: 'content-disposition-has-one-home', wrong: { 'gateway/download.ts': ['content-disposition'] } },
  { rule: 'zod-has-one-home', wrong: { 'services/a/config.ts': ['zod'] } },
  { rule: 'ajv-has-one-home', wrong: { 'e2e/harness/schema-of.ts': ['ajv'] } },
  { rule: 'json-2-csv-has-one-home', wrong: { 'e2e/harness/rows-of.ts': ['json-2-csv'] } },
  { rule: 'jsonrepair-has-one-home', wrong: { 'gateway/mend.ts': ['jsonrepair'] } },
  { rule: 'jose-has-one-home', wrong: { 'gateway/token.ts': ['jose'] } },
  { rule: 'oidc-provider-has-one-home', wrong: { 'deploy/launcher/issuer.ts': ['oidc-provider'] } },
  { rule: 'pino-has-one-home', wrong: { 'gateway/access-log.ts': ['pino'] } },
  {
    rule: 'opentelemetry-has-one-home',
    wrong: {
      'gateway/spans.ts': ['@opentelemetry/api'],
      'libs/grpc/spans.ts': ['@opentelemetry/sdk-trace-node'],
    },
  },
  { rule: 'stripe-has-one-home', wrong: { 'gateway/http/events.ts': ['stripe'] } },
  { rule: 'cockatiel-has-one-home', wrong: { 'gateway/breaker.ts': ['cockatiel'] } },
  { rule: 'redis-has-one-home', wrong: { 'gateway/rate-limits/lua.ts': ['redis'] } },
  { rule: 'ipaddr-has-one-home', wrong: { 'libs/runtime/address.ts': ['ipaddr.js'] } },
  { rule: 'aws-sdk-client-s3-has-one-home', wrong: { 'libs/runtime/objects.ts': ['@aws-sdk/client-s3'] } },
  { rule: 'aws-sdk-lib-storage-has-one-home', wrong: { 'gateway/upload.ts': ['@aws-sdk/lib-storage'] } },
  { rule: 's3rver-has-one-home', wrong: { 'e2e/harness/objects.ts': ['s3rver'] } },
  { rule: 'testcontainers-has-one-home', wrong: { 'e2e/harness/docker.ts': ['testcontainers'] } },
  { rule: 'vite-has-one-home', wrong: { 'scripts/bundle.ts': ['vite'] } },
  { rule: 'react-has-one-home', wrong: { 'services/web/browser/viewer/view.tsx': ['react'] } },
  { rule: 'react-dom-has-one-home', wrong: { 'services/web/browser/share/root.tsx': ['react-dom'] } },
  {
    rule: 'react-aria-components-has-one-home',
    wrong: { 'services/web/browser/share/button.tsx': ['react-aria-components'] },
  },
  { rule: 'tanstack-react-query-has-one-home', wrong: { 'e2e/harness/query.ts': ['@tanstack/react-query'] } },
  { rule: 'wouter-has-one-home', wrong: { 'services/web/browser/share/route.ts': ['wouter'] } },
  {
    rule: 'oauth4webapi-has-one-home',
    wrong: { 'services/web/browser/dashboard/pages/sign-in.ts': ['oauth4webapi'] },
  },
  { rule: 'lezer-has-one-home', wrong: { 'services/web/browser/viewer/line-colours.ts': ['@lezer/python'] } },
  { rule: 'marked-has-one-home', wrong: { 'services/web/browser/viewer/markdown.ts': ['marked'] } },
  { rule: 'noble-hashes-has-one-home', wrong: { 'gateway/auth/digest.ts': ['@noble/hashes/sha2.js'] } },
  { rule: 'yaml-has-one-home', wrong: { 'clients/cli/settings.ts': ['yaml'] } },
  { rule: 'sql-formatter-has-one-home', wrong: { 'clients/cli/tidy.ts': ['sql-formatter'] } },
  { rule: 'commander-has-one-home', wrong: { 'scripts/options.ts': ['commander'] } },
  {
    rule: 'modelcontextprotocol-server-has-one-home',
    wrong: { 'gateway/http/assistants.ts': ['@modelcontextprotocol/server'] },
  },
  {
    rule: 'modelcontextprotocol-client-has-one-home',
    wrong: { 'clients/mcp/assistant.ts': ['@modelcontextprotocol/client'] },
  },
  { rule: 'uqr-has-one-home', wrong: { 'e2e/harness/code.ts': ['uqr'] } },
  { rule: 'playwright-core-has-one-home', wrong: { 'libs/testing/browser.ts': ['playwright-core'] } },
  { rule: 'publint-has-one-home', wrong: { 'scripts/pack.ts': ['publint'] } },
  {
    rule: 'arethetypeswrong-core-has-one-home',
    wrong: { 'scripts/pack-types.ts': ['@arethetypeswrong/core'] },
  },
  { rule: 'redocly-openapi-core-has-one-home', wrong: { 'scripts/lint.ts': ['@redocly/openapi-core'] } },
  { rule: 'axe-core-has-one-home', wrong: { 'scripts/axe.ts': ['axe-core'] } },
  { rule: 'fast-check-has-one-home', wrong: { 'libs/testing/arbitrary.ts': ['fast-check'] } },
]
