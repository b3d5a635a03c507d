import { execFile } from 'node:child_process'
import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { publishedManifest } from '../clients/published-manifest.js'
import { writeClientTypes } from './client-types.js'

async function compile(...flags: readonly string[]): Promise<void> {
  const tsc = resolve('node_modules/typescript/bin/tsc')
  await promisify(execFile)(process.execPath, [tsc, '-p', 'clients/sdk/tsconfig.json', ...flags])
}

/** Builds `clients/sdk/dist`, which is published to npm as `@snipkeep/client`. */
async function buildSdk(): Promise<void> {
  const out = 'clients/sdk/dist'
  await writeClientTypes('.')
  await rm(out, { recursive: true, force: true })
  await compile()
  // The comments are in the types.
  await compile('--noCheck', '--declaration', 'false', '--removeComments')
  const manifest = {
    name: '@snipkeep/client',
    description: 'Client of the Snipkeep API: snippets, shares, history and API keys, byte for byte.',
    ...publishedManifest(await readFile('package.json', 'utf8'), 'clients/sdk', process.env),
    type: 'module',
    sideEffects: false,
    // For TypeScript with the module resolution of Node 10, which does not read exports.
    main: './exports.js',
    types: './exports.d.ts',
    exports: {
      '.': { types: './exports.d.ts', default: './exports.js' },
      './browser': { types: './browser.d.ts', default: './browser.js' },
      './node': { types: './node.d.ts', default: './node.js' },
    },
    files: ['**/*.js', '**/*.d.ts'],
  }
  await writeFile(`${out}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  await cp('LICENSE', `${out}/LICENSE`)
  await cp('docs/sdk.md', `${out}/README.md`)
}

await buildSdk()
