import { type Plant, packagePlants } from './planted-packages.js'

/** A file of each floor of the gateway that imports the next one up. */
const floorPlants = ['request', 'auth', 'rate-limits', 'http', 'body', 'data', 'pipeline', 'features'].map(
  (floor, index, floors): Plant => ({
    rule: `gateway-${floor}-imports-down`,
    wrong: { [`gateway/${floor}/climbs.ts`]: [`../${floors[index + 1] ?? 'server'}/floor.js`] },
    beside: { [`gateway/${floors[index + 1] ?? 'server'}/floor.ts`]: [] },
  }),
)

/** One for each rule, including those for drivers' homes. */
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
    rule: 'only-migrate-imports-migrations',
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
      'deploy/launcher/a.ts': ['../../services/a/wire.js'],
      'e2e/harness/a.ts': ['../../gateway/routes.js'],
      'bench/a.ts': ['../gateway/routes.js'],
    },
  },
  { rule: 'scripts-import-configurations-alone', wrong: { 'scripts/a.ts': ['../services/a/wire.js'] } },
  {
    rule: 'no-imports-from-tooling',
    wrong: { 'gateway/launch.ts': ['../deploy/launcher/b.js'], 'libs/paging/d.ts': ['../../scripts/b.js'] },
    beside: { 'deploy/launcher/b.ts': [], 'scripts/b.ts': [] },
  },
  {
    rule: 'tooling-stays-apart',
    wrong: { 'e2e/harness/b.ts': ['../../deploy/launcher/b.js'], 'bench/b.ts': ['../scripts/b.js'] },
  },
  {
    rule: 'the-launcher-knows-no-tests',
    wrong: { 'deploy/launcher/c.ts': ['../../bench/main.js'], 'dev/c.ts': ['../bench/main.js'] },
  },
  {
    rule: 'relative-imports-stay-in-their-module',
    wrong: {
      'gateway/log.ts': ['../libs/log/logger.js'],
      'gateway/protocol.ts': ['../proto/gen/message.js'],
      'services/b/log.ts': ['../../libs/log/logger.js'],
      'services/web/browser/dashboard/relative.ts': ['../../../../clients/sdk/browser.js'],
    },
  },
  {
    rule: 'a-module-imports-itself-relatively',
    wrong: {
      'libs/paging/e.ts': ['#libs/log/logger.js'],
      'engine/tools/lines.ts': ['#engine/compare/compare.js'],
      'shared/config/e.ts': ['#shared/core/plan.js'],
    },
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
  {
    rule: 'the-command-line-knows-the-api-and-the-comparison',
    wrong: { 'clients/cli/logs.ts': ['#libs/log/logger.js'] },
  },
  {
    rule: 'browsers-know-no-client-but-the-sdk',
    wrong: { 'services/web/browser/dashboard/call.ts': ['../../../../clients/cli/run.js', '#sdk/node.js'] },
    beside: { 'clients/cli/run.ts': [], 'clients/sdk/node.ts': [] },
  },
  {
    rule: 'the-engine-runs-anywhere',
    wrong: { 'engine/compare/spool.ts': ['node:fs', '#libs/log/logger.js', '#libs/core/domain-error.js'] },
  },
  { rule: 'the-sdk-runs-in-browsers', wrong: { 'clients/sdk/files.ts': ['node:fs'] } },
  {
    rule: 'the-server-knows-no-client',
    wrong: { 'gateway/own-client.ts': ['#sdk/exports.js'] },
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
  ...floorPlants,
  ...packagePlants,
]

/** A source tree without violations, with one of everything the rules allow. */
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
  ],
  'services/a/migrate.ts': ['./migrations/0001-first.js', '#libs/postgres/migrate.js'],
  'services/a/main.ts': ['./wire.js', './config.js', './doctor.js', './migrate.js', '#libs/log/logger.js'],
  'services/a/doctor.ts': [
    './adapters/check-store.js',
    './wire.js',
    './migrate.js',
    './config.js',
    '#libs/log/logger.js',
  ],
  'services/a/adapters/check-store.ts': ['#libs/log/logger.js'],
  'gateway/routes.ts': ['express', '#proto/message.js', '#libs/core/domain-error.js'],
  'libs/core/domain-error.ts': [],
  'libs/postgres/migrate.ts': ['knex'],
  'libs/log/logger.ts': ['pino', '../core/domain-error.js'],
  'libs/telemetry/export-traces.ts': ['@opentelemetry/api', '@opentelemetry/sdk-trace-node'],
  'libs/testing/migrated-schema.ts': ['pg', 'vitest'],
  'proto/gen/message.ts': ['@bufbuild/protobuf'],
  'services/web/texts/text.ts': [],
  'services/web/browser/document/read.ts': ['../../texts/text.js', '#libs/core/domain-error.js'],
  'engine/compare/compare.ts': ['../json-pointer.js'],
  'engine/json-pointer.ts': [],
  'services/web/browser/document/compare.ts': ['#engine/compare/compare.js'],
  'services/web/browser/dashboard/client.ts': ['#sdk/browser.js'],
  'clients/sdk/browser.ts': [],
  'clients/cli/diff.ts': ['#engine/compare/compare.js', 'node:fs'],
  'e2e/harness/system.ts': ['#libs/testing/migrated-schema.js'],
  'bench/main.ts': ['../e2e/harness/system.js'],
  'scripts/generate.ts': ['../services/a/config.js'],
}
