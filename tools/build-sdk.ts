import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

interface Manifest {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
}

const project = JSON.parse(await readFile('package.json', 'utf8')) as Manifest

/** Builds `clients/sdk/dist`, which is published to npm as `@snipkeep/client`. */
async function buildSdk(): Promise<void> {
  const out = 'clients/sdk/dist'
  await rm(out, { recursive: true, force: true })
  await promisify(execFile)(process.execPath, [
    resolve('node_modules/typescript/bin/tsc'),
    '-p',
    'clients/sdk/tsconfig.json',
  ])
  const manifest = {
    name: '@snipkeep/client',
    version: project.version,
    description: 'Client of the Snipkeep API: snippets, shares, history and API keys, byte for byte.',
    license: project.license,
    type: 'module',
    engines: project.engines,
    sideEffects: false,
    exports: {
      '.': { types: './exports.d.ts', default: './exports.js' },
      './node': { types: './node.d.ts', default: './node.js' },
    },
    files: ['**/*.js', '**/*.d.ts'],
  }
  await writeFile(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  await cp('LICENSE', `${out}/LICENSE`)
  await cp('docs/sdk.md', `${out}/README.md`)
}

await buildSdk()
