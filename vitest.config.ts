import { defineConfig } from 'vitest/config'

// Without 'import': vitest hands these to node, where it would reach `require` as well. Without 'module' too: what some
// packages have there is for bundlers alone.
const conditions = ['source', 'node', 'default']

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // What runs the global setups calls itself so.
  environments: { __vitest__: { resolve: { conditions } } },
}

const servers = ['libs/testing/postgres-setup.ts', 'libs/testing/redis-setup.ts', 'libs/testing/s3-setup.ts']

const onServers = { globalSetup: servers, testTimeout: 60_000, hookTimeout: 60_000 }

/** Of the contract tests those that hold what happens within so many milliseconds. */
const promptTests = ['{gateway/limits,libs/redis}/**/*.contract.test.ts']

/** Of the tests of faults those that hold nothing of the kind. */
const unhurriedFaults = [
  'e2e/faults/{crashes,drill,plan-changes,quota-race,rate-limits,subscription-faults,suspended}.e2e.test.ts',
]

const throughTheSystem = {
  globalSetup: [...servers, 'e2e/build-setup.ts', 'e2e/migrated-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  ...shared,
  test: {
    reporters: ['default'],
    // One kind of test after the other: journeys start many processes, and should not compete with everything else.
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          sequence: { groupOrder: 0 },
          maxWorkers: '100%',
          // Their files leave nothing behind, and a process for each would take as long as half of the tests.
          isolate: false,
          include: ['{gateway,services,libs,deploy,tools,bench}/**/*.test.ts'],
          exclude: ['**/*.contract.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'contract',
          ...onServers,
          sequence: { groupOrder: 1 },
          maxWorkers: '100%',
          include: ['{gateway,services,libs,deploy}/**/*.contract.test.ts'],
          exclude: promptTests,
        },
      },
      {
        ...shared,
        test: {
          name: 'prompt',
          ...onServers,
          sequence: { groupOrder: 2 },
          // One at a time: they hold what happens within so many milliseconds.
          maxWorkers: 1,
          include: promptTests,
        },
      },
      {
        ...shared,
        test: {
          ...throughTheSystem,
          name: 'journeys',
          sequence: { groupOrder: 3 },
          include: ['e2e/*.e2e.test.ts', ...unhurriedFaults],
          // Mostly they wait: for processes to start, for a browser, for what was promised within seconds.
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          ...throughTheSystem,
          name: 'faults',
          sequence: { groupOrder: 4 },
          include: ['e2e/faults/*.e2e.test.ts'],
          exclude: unhurriedFaults,
          // One at a time: they load the machine themselves, and hold what happens within so many milliseconds.
          fileParallelism: false,
        },
      },
    ],
  },
})
