import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { publishedManifest } from '../published-manifest.js'

/** The published package: no dependencies, and what a command loads in files of their own. */
function packageFiles(): Plugin {
  const root = join(import.meta.dirname, '../..')
  return {
    name: 'package-files',
    generateBundle() {
      const project = readFileSync(join(root, 'package.json'), 'utf8')
      const manifest = {
        name: 'snipkeep',
        description: 'The command line of Snipkeep: save, fetch and share outputs.',
        ...publishedManifest(project, 'clients/cli', loadEnv('', root, 'GITHUB_')),
        type: 'module',
        bin: { snipkeep: 'snipkeep.mjs' },
        files: ['snipkeep.mjs', 'parts', 'licenses.md'],
      }
      this.emitFile({
        type: 'asset',
        fileName: 'package.json',
        source: `${JSON.stringify(manifest, null, 2)}\n`,
      })
      this.emitFile({ type: 'asset', fileName: 'README.md', source: readFileSync(join(root, 'docs/cli.md')) })
      this.emitFile({ type: 'asset', fileName: 'LICENSE', source: readFileSync(join(root, 'LICENSE')) })
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [packageFiles()],
  resolve: {
    alias: [
      { find: '#libs', replacement: join(import.meta.dirname, '../../libs') },
      { find: '#engine', replacement: join(import.meta.dirname, '../../engine') },
      {
        find: '@modelcontextprotocol/server/_shims',
        replacement: join(import.meta.dirname, 'mcp-shims.ts'),
      },
      { find: /^@noble\/hashes\/.*/, replacement: join(import.meta.dirname, 'node-hashes.ts') },
    ],
  },
  ssr: { noExternal: true },
  build: {
    ssr: 'main.ts',
    outDir: '../../dist/clients/cli',
    emptyOutDir: true,
    target: 'node20.19',
    minify: true,
    license: { fileName: 'licenses.md' },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'snipkeep.mjs',
        chunkFileNames: 'parts/[name].mjs',
        banner: ({ isEntry }) => (isEntry ? '#!/usr/bin/env node' : ''),
      },
      checks: { bundlerTimings: false },
    },
  },
})
