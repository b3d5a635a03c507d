/** Imports that break a rule of `.dependency-cruiser.mjs`. */
export interface Plant {
  readonly rule: string
  /** The files that do wrong, with what each imports. */
  readonly wrong: Readonly<Record<string, readonly string[]>>
  /** Files that are there to be imported. */
  readonly beside?: Readonly<Record<string, readonly string[]>>
}

/** One for each rule, those of drivers' homes included. */
export const plants: readonly Plant[] = [
  {
    rule: 'domain-imports-itself-and-core',
    wrong: {
      'services/a/domain/uses-a-library.ts': ['#libs/log/logger.js'],
      'services/a/domain/uses-a-port.ts': ['../ports.js'],
      'services/a/domain/uses-node.ts': ['node:crypto'],
      'services/a/domain/uses-the-protocol.ts': ['#proto/message.js'],
      'services/a/domain/uses-an-adapter.ts': ['../adapters/postgres-store.js'],
    },
  },
  {
    rule: 'ports-import-domain-and-core',
    wrong: { 'services/b/ports.ts': ['#proto/message.js', './application/save.js', 'node:stream'] },
    beside: { 'services/b/application/save.ts': [] },
  },
  {
    rule: 'application-imports-domain-ports-and-core',
    wrong: {
      'services/a/application/uses-a-library.ts': ['#libs/log/logger.js'],
      'services/a/application/uses-an-adapter.ts': ['../adapters/postgres-store.js'],
      'services/a/application/uses-node.ts': ['node:crypto'],
      'services/a/application/uses-the-protocol.ts': ['#proto/message.js'],
    },
  },
  {
    rule: 'adapters-import-domain-and-ports',
    wrong: { 'services/a/adapters/memory-store.ts': ['../config.js', '../wire.js'] },
  },
  {
    rule: 'only-adapters-in-front-import-application',
    wrong: { 'services/a/adapters/redis-store.ts': ['../application/save.js'] },
  },
  {
    rule: 'only-wire-imports-adapters',
    wrong: { 'services/a/elsewhere.ts': ['./adapters/postgres-store.js'] },
  },
  {
    rule: 'only-wire-imports-migrations',
    wrong: { 'services/a/anywhere.ts': ['./migrations/0001-first.js'] },
  },
  {
    rule: 'migrations-import-no-code-of-their-service',
    wrong: { 'services/a/migrations/0002-second.ts': ['../domain/rule.js'] },
  },
  {
    rule: 'main-imports-wire-and-config',
    wrong: {
      'services/b/main.ts': ['./ports.js', 'node:fs'],
      'gateway/main.ts': ['./routes.js', '#proto/message.js'],
    },
  },
  {
    rule: 'a-doctor-only-checks',
    wrong: {
      'services/b/doctor.ts': ['./ports.js', 'node:fs'],
      'gateway/doctor.ts': ['./routes.js', '#proto/message.js'],
    },
  },
  {
    rule: 'only-the-doctor-checks',
    wrong: { 'gateway/waits.ts': ['./auth/check-issuer.js'] },
    beside: { 'gateway/auth/check-issuer.ts': [] },
  },
  { rule: 'services-stay-apart', wrong: { 'services/b/wire.ts': ['../a/domain/rule.js'] } },
  {
    rule: 'services-never-import-the-gateway',
    wrong: { 'services/b/server.ts': ['../../gateway/routes.js'] },
  },
  {
    rule: 'the-gateway-never-imports-a-service',
    wrong: { 'gateway/middleware.ts': ['../services/a/domain/rule.js'] },
  },
  {
    rule: 'libs-know-no-service-and-no-gateway',
    wrong: {
      'libs/paging/a.ts': ['../../gateway/routes.js'],
      'libs/paging/b.ts': ['../../services/a/ports.js'],
    },
  },
  { rule: 'shared-knows-no-process', wrong: { 'shared/a.ts': ['../gateway/routes.js'] } },
  {
    rule: 'shared-core-rests-on-core',
    wrong: { 'shared/core/clock.ts': ['#libs/log/logger.js', 'node:timers'] },
  },
  { rule: 'libs-know-no-protocol', wrong: { 'libs/paging/c.ts': ['#proto/message.js'] } },
  { rule: 'core-imports-nothing', wrong: { 'libs/core/clock.ts': ['../log/logger.js', 'node:timers'] } },
  {
    rule: 'processes-are-started-not-imported',
    wrong: {
      'deploy/local/a.ts': ['../../services/a/wire.js'],
      'e2e/harness/a.ts': ['../../gateway/routes.js'],
      'bench/a.ts': ['../gateway/routes.js'],
    },
  },
  { rule: 'tools-import-configurations-alone', wrong: { 'tools/a.ts': ['../services/a/wire.js'] } },
  {
    rule: 'no-imports-from-tooling',
    wrong: { 'gateway/launch.ts': ['../deploy/local/b.js'], 'libs/paging/d.ts': ['../../tools/b.js'] },
    beside: { 'deploy/local/b.ts': [], 'tools/b.ts': [] },
  },
  {
    rule: 'tooling-stays-apart',
    wrong: { 'e2e/harness/b.ts': ['../../deploy/local/b.js'], 'bench/b.ts': ['../tools/b.js'] },
  },
  {
    rule: 'relative-imports-stay-in-their-module',
    wrong: {
      'gateway/log.ts': ['../libs/log/logger.js'],
      'gateway/protocol.ts': ['../proto/gen/message.js'],
      'services/b/log.ts': ['../../libs/log/logger.js'],
    },
  },
  { rule: 'libs-import-one-another-relatively', wrong: { 'libs/paging/e.ts': ['#libs/log/logger.js'] } },
  {
    rule: 'shared-files-import-one-another-relatively',
    wrong: { 'shared/config/e.ts': ['#shared/core/plan.js'] },
    beside: { 'shared/core/plan.ts': [] },
  },
  {
    rule: 'no-cycles',
    wrong: { 'gateway/egg.ts': ['./hen.js'] },
    beside: { 'gateway/hen.ts': ['./egg.js'] },
  },
  {
    rule: 'nothing-ships-with-tests',
    wrong: {
      'gateway/fake.ts': ['#libs/testing/migrated-schema.js'],
      'gateway/proof.ts': ['./routes.test.js'],
    },
    beside: { 'gateway/routes.test.ts': [] },
  },
  { rule: 'nothing-ships-with-development-packages', wrong: { 'gateway/compile.ts': ['typescript'] } },
  {
    rule: 'browsers-get-no-server-code',
    wrong: { 'services/web/browser/share/peek.ts': ['../../server.js', 'node:fs', '#libs/log/logger.js'] },
    beside: { 'services/web/server.ts': [] },
  },
  {
    rule: 'the-server-of-pages-runs-no-browser-code',
    wrong: { 'services/web/run.ts': ['./browser/viewer/open.js'] },
    beside: { 'services/web/browser/viewer/open.ts': [] },
  },
  {
    rule: 'clients-know-the-api-alone',
    wrong: { 'clients/sdk/limits.ts': ['../../shared/core/plan-of-clients.js'] },
    beside: { 'shared/core/plan-of-clients.ts': [] },
  },
  { rule: 'the-sdk-runs-in-browsers', wrong: { 'clients/sdk/files.ts': ['node:fs'] } },
  {
    rule: 'the-server-knows-no-client',
    wrong: { 'gateway/own-client.ts': ['../clients/sdk/exports.js'] },
    beside: { 'clients/sdk/exports.ts': [] },
  },
  {
    rule: 'the-share-page-carries-no-framework',
    wrong: { 'services/web/browser/viewer/heavy.ts': ['../dashboard/app.js'] },
    beside: {
      'services/web/browser/dashboard/app.tsx': ['react', '../viewer/open.js', '../../texts/text.js'],
    },
  },
  {
    rule: 'services-are-ready-once-their-database-responds',
    wrong: { 'services/a/wire.ts': ['#libs/grpc/server.js'] },
    beside: { 'libs/grpc/server.ts': [] },
  },
  { rule: 'every-package-is-declared', wrong: { 'gateway/borrowed.ts': ['undeclared'] } },
  { rule: 'every-import-resolves', wrong: { 'gateway/lost.ts': ['./nowhere.js', '#libs/nowhere.js'] } },
  { rule: 'every-file-is-reached', wrong: { 'gateway/dead.ts': [] } },
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
  { rule: 'jose-has-one-home', wrong: { 'gateway/token.ts': ['jose'] } },
  { rule: 'oidc-provider-has-one-home', wrong: { 'deploy/local/issuer.ts': ['oidc-provider'] } },
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
  { rule: 'vite-has-one-home', wrong: { 'tools/bundle.ts': ['vite'] } },
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
  { rule: 'papaparse-has-one-home', wrong: { 'services/web/browser/viewer/table.ts': ['papaparse'] } },
  {
    rule: 'scalar-fastify-api-reference-has-one-home',
    wrong: { 'e2e/harness/reference.ts': ['@scalar/fastify-api-reference'] },
  },
  { rule: 'commander-has-one-home', wrong: { 'tools/options.ts': ['commander'] } },
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
  { rule: 'axe-core-has-one-home', wrong: { 'tools/axe.ts': ['axe-core'] } },
  { rule: 'fast-check-has-one-home', wrong: { 'libs/testing/arbitrary.ts': ['fast-check'] } },
]

/** A house in order, with one of everything that the rules allow. */
export const innocent: Readonly<Record<string, readonly string[]>> = {
  'services/a/domain/rule.ts': ['#libs/core/domain-error.js', './other-rule.js'],
  'services/a/domain/other-rule.ts': [],
  'services/a/domain/rule.test.ts': ['fast-check', 'node:fs', './rule.js'],
  'services/a/ports.ts': ['./domain/rule.js', '#libs/core/domain-error.js'],
  'services/a/application/save.ts': ['../ports.js', '../domain/rule.js', '#libs/core/domain-error.js'],
  'services/a/adapters/grpc-server.ts': ['../application/save.js', '#proto/message.js', '@grpc/grpc-js'],
  'services/a/adapters/start-a-jobs.ts': ['../application/save.js'],
  'services/a/adapters/postgres-store.ts': [
    '../ports.js',
    '../domain/rule.js',
    '#libs/log/logger.js',
    'node:stream',
  ],
  'services/a/migrations/0001-first.ts': ['#libs/postgres/migrate.js'],
  'services/a/wire.ts': [
    './adapters/grpc-server.js',
    './adapters/postgres-store.js',
    './adapters/start-a-jobs.js',
    './application/save.js',
    './migrations/0001-first.js',
  ],
  'services/a/main.ts': ['./wire.js', './config.js', './doctor.js', '#libs/log/logger.js'],
  'services/a/doctor.ts': ['./adapters/check-store.js', './wire.js', './config.js', '#libs/log/logger.js'],
  'services/a/adapters/check-store.ts': ['#libs/log/logger.js'],
  'gateway/routes.ts': ['express', '#proto/message.js', '#libs/core/domain-error.js'],
  'libs/core/domain-error.ts': [],
  'libs/postgres/migrate.ts': ['knex'],
  'libs/log/logger.ts': ['pino', '../core/domain-error.js'],
  'libs/telemetry/export-traces.ts': ['@opentelemetry/api', '@opentelemetry/sdk-trace-node'],
  'libs/testing/migrated-schema.ts': ['pg', 'vitest'],
  'proto/gen/message.ts': ['@bufbuild/protobuf'],
  'services/web/texts/text.ts': [],
  'services/web/browser/document/read.ts': ['papaparse', '../../texts/text.js', '#libs/core/domain-error.js'],
  'e2e/harness/system.ts': ['#libs/testing/migrated-schema.js'],
  'bench/main.ts': ['../e2e/harness/system.js'],
  'tools/generate.ts': ['../services/a/config.js'],
}
