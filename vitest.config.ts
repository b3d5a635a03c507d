import { defineConfig } from 'vitest/config'

// Those of node itself, but without 'import': vitest hands these to node, where it would reach `require` as well.
const conditions = ['source', 'node', 'default']

const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
}

export default defineConfig({
  ...shared,
  test: {
    reporters: ['default'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          include: ['{gateway,services,libs,deploy,tools,bench}/**/*.test.ts'],
          exclude: ['**/*.contract.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'contract',
          include: ['{gateway,services,libs,deploy}/**/*.contract.test.ts'],
          globalSetup: ['libs/testing/postgres-setup.ts', 'libs/testing/redis-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          globalSetup: [
            'libs/testing/postgres-setup.ts',
            'libs/testing/redis-setup.ts',
            'e2e/build-setup.ts',
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
