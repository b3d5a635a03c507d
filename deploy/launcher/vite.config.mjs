import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
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

/** Our modules keep their places, for what they find beside them, and their source maps. @param {string} name */
function fromDist(name) {
  // Modules are named by their real paths.
  const real = () => realpathSync(dist)
  let found = 0
  return {
    name: 'from-dist',
    /** @param {string} id */
    load(id) {
      if (!id.startsWith(`${real()}/`)) return null
      found += 1
      const map = existsSync(`${id}.map`) ? readFileSync(`${id}.map`, 'utf8') : null
      const path = relative(join(real(), 'bundles', name), id)
      const place = `new URL(${JSON.stringify(path)}, import.meta.url).href`
      return { code: readFileSync(id, 'utf8').replaceAll('import.meta.url', place), map }
    },
    /** @param {Error} [error] */
    buildEnd(error) {
      if (error === undefined && found === 0)
        throw new Error(`No module of ${name} is in ${real()}: move the checkout to a path without links.`)
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
      // A running system still loads files of its build; the next start removes them.
      emptyOutDir: false,
      target: 'node20.19',
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: { main: join(dist, path) },
        plugins: [fromDist(name)],
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
      const files = []
      for (const name of Object.keys(processes)) {
        const { output } = await builder.build(builder.environments[name])
        files.push(...output.map(({ fileName }) => `${name}/${fileName}`))
      }
      await writeFile(join(bundles, 'files.json'), JSON.stringify(files))
    },
  },
  build: { reportCompressedSize: false },
})
