import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { defineConfig } from 'vite'

const dist = join(import.meta.dirname, '../../dist')
const bundles = join(dist, 'bundles')

/** What `npm start` runs: a process starts sooner from a few files than from hundreds, packages included. */
const processes = {
  gateway: 'gateway/main.js',
  content: 'services/content/main.js',
  identity: 'services/identity/main.js',
  activity: 'services/activity/main.js',
  billing: 'services/billing/main.js',
  tools: 'services/tools/main.js',
  web: 'services/web/main.js',
  issuer: 'dev/issuer/main.js',
  sandbox: 'dev/payment-sandbox/main.js',
}

/** These read files beside themselves, or load a part of themselves by a name that they make up. */
const notBundled = [
  '@grpc/grpc-js',
  '@grpc/proto-loader',
  '@grpc/reflection',
  'grpc-health-check',
  'protobufjs',
  'knex',
  'pg-native',
]

/** Our modules keep their places, for what they find beside them, and their source maps. @param {string} outDir */
function fromDist(outDir) {
  return {
    name: 'from-dist',
    /** @param {string} id */
    load(id) {
      if (!id.startsWith(`${dist}/`)) return null
      const map = existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : null
      const place = `new URL(${JSON.stringify(relative(outDir, id))}, import.meta.url).href`
      return { code: readFileSync(id, 'utf8').replaceAll('import.meta.url', place), map }
    },
  }
}

/** @param {string} name @param {string} path */
function environment(name, path) {
  const outDir = join(bundles, name)
  return {
    consumer: 'server',
    resolve: { noExternal: true, external: notBundled },
    build: {
      ssr: true,
      outDir,
      target: 'node20.19',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { main: join(dist, path) },
        plugins: [fromDist(outDir)],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
        checks: { bundlerTimings: false, eval: false },
      },
    },
  }
}

export default defineConfig({
  root: dist,
  publicDir: false,
  environments: Object.fromEntries(
    Object.entries(processes).map(([name, path]) => [name, environment(name, path)]),
  ),
  builder: {
    async buildApp(builder) {
      await rm(bundles, { recursive: true, force: true })
      for (const name of Object.keys(processes)) await builder.build(builder.environments[name])
    },
  },
  build: { reportCompressedSize: false },
})
