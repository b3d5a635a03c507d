import { defineConfig } from 'vitest/config'
import { skippedReporter } from './libs/testing/skipped-reporter.js'

// Without 'import': vitest hands these to node, where it would reach `require` as well. Without 'module' too: what some
// packages have there is for bundlers alone.
const conditions = ['snipkeep-source', 'node', 'default']

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // What runs the global setups calls itself so.
  environments: { __vitest__: { resolve: { conditions } } },
}

/** On a busy machine everything takes many times as long, and a test that waits for an event has no reason to give up. */
const patient = { expect: { poll: { timeout: 30_000 } }, testTimeout: 240_000, hookTimeout: 240_000 }

const servers = ['libs/testing/postgres-setup.ts', 'libs/testing/redis-setup.ts', 'libs/testing/s3-setup.ts']

const onServers = { ...patient, globalSetup: servers }

/**
 * The three stages: `npm test` is for while you work, `npm run test:ci` adds the rest of what each change must pass, and
 * `npm run test:nightly` has the tests that load the machine, repeat many times or wait for faults (docs/testing.md).
 */
const ciContract = [
  'engine/compare/*.contract.test.ts',
  'libs/embedded-postgres/*.contract.test.ts',
  'libs/postgres/{pool,held-up,migrate}.contract.test.ts',
  'services/content/adapters/{move-to-s3,s3-*}.contract.test.ts',
  'scripts/regular-expressions.contract.test.ts',
]

/** Contract tests that hold what happens within so many milliseconds. */
const timingContract = ['{gateway/rate-limits,libs/redis}/**/*.contract.test.ts']

const firstEndToEnd = ['e2e/api-keys.e2e.test.ts']

/** They only calculate, so that they may run side by side. */
const nightlyLaws = ['engine/tools/*.contract.test.ts', 'engine/contract/*.contract.test.ts']

const nightly = [
  'libs/redis/sentinel.contract.test.ts',
  'services/content/adapters/ceph.contract.test.ts',
  'e2e/{amplification,compare-large,dashboard-hostile,doctor,documents-in-s3,export-large,history,hostile-content,hostile-jobs,mcp-conformance,schema-fuzz,telemetry-cardinality,tools-large}.e2e.test.ts',
  'e2e/faults/{account-erasure,database-faults,drill,failover,grpc-abuse,latency,overload,redis-faults}.e2e.test.ts',
  'e2e/faults/{key-rotation,operator,pooler,proxies,quota-race,revocations,rolling-restarts,service-faults,shared-limits,soak,suspended,trust-revocations}.e2e.test.ts',
]

const throughTheSystem = {
  ...patient,
  globalSetup: [...servers, 'e2e/build-setup.ts', 'e2e/migrated-setup.ts'],
}

export default defineConfig({
  ...shared,
  test: {
    reporters: ['default', skippedReporter],
    teardownTimeout: 60_000,
    // One kind of test after the other: end-to-end tests start many processes, and should not compete with everything else.
    projects: [
      {
        ...shared,
        logLevel: 'error',
        test: {
          ...patient,
          name: 'unit',
          sequence: { groupOrder: 0 },
          maxWorkers: '100%',
          // Their files leave nothing behind, and a process for each would take as long as half of the tests.
          isolate: false,
          include: ['{gateway,services,shared,libs,engine,deploy,dev,clients,scripts,bench}/**/*.test.ts'],
          exclude: ['**/*.contract.test.ts', 'clients/*/dist/**'],
          // It imports JSON as bundlers do, which Node refuses; its source maps name files that it does not ship.
          server: { deps: { inline: ['@actions/workflow-parser'] } },
        },
      },
      {
        ...shared,
        test: {
          ...patient,
          name: 'component',
          sequence: { groupOrder: 1 },
          maxWorkers: '100%',
          // The system is loaded once for all files of a worker.
          isolate: false,
          include: ['e2e/**/*.component.test.ts'],
          globalSetup: ['libs/testing/redis-setup.ts'],
        },
      },
      {
        ...shared,
        test: {
          name: 'contract',
          ...onServers,
          sequence: { groupOrder: 2 },
          maxWorkers: '100%',
          include: ['{gateway,services,shared,libs,engine,deploy,dev,e2e}/**/*.contract.test.ts'],
          exclude: [...ciContract, ...timingContract, ...nightlyLaws, ...nightly],
        },
      },
      {
        ...shared,
        test: {
          name: 'ci-contract',
          ...onServers,
          sequence: { groupOrder: 3 },
          maxWorkers: '100%',
          include: ciContract,
        },
      },
      {
        ...shared,
        test: {
          name: 'ci-timing',
          ...onServers,
          sequence: { groupOrder: 4 },
          // One at a time, and again if a busy machine made one late.
          maxWorkers: 1,
          retry: 2,
          include: timingContract,
          exclude: nightly,
        },
      },
      {
        ...shared,
        test: {
          ...throughTheSystem,
          name: 'e2e',
          sequence: { groupOrder: 5 },
          include: firstEndToEnd,
          // Mostly they wait: for processes to start, for a browser, for what was promised within seconds.
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          ...throughTheSystem,
          name: 'ci-e2e',
          sequence: { groupOrder: 6 },
          include: ['e2e/**/*.e2e.test.ts'],
          exclude: [...firstEndToEnd, ...nightly],
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          ...patient,
          name: 'nightly-laws',
          sequence: { groupOrder: 7 },
          maxWorkers: '100%',
          include: nightlyLaws,
        },
      },
      {
        ...shared,
        test: {
          ...throughTheSystem,
          name: 'nightly',
          sequence: { groupOrder: 8 },
          include: nightly,
          // One at a time: they load the machine themselves, and hold what happens within so many milliseconds.
          fileParallelism: false,
        },
      },
    ],
  },
})
