import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.js'

// Vite takes over whatever is set, and builds for developers under any other name: tests build under `test`.
process.env.NODE_ENV = 'production'

// An entry for each kind of page; the server finds them by the manifest, and serves all of it under /assets/.
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  publicDir: false,
  resolve: {
    alias: {
      '#libs': join(import.meta.dirname, '../../../libs'),
      '#shared': join(import.meta.dirname, '../../../shared'),
    },
  },
  plugins: [compressAssets()],
  worker: { format: 'es' },
  build: {
    outDir: '../../../dist/services/web/browser',
    emptyOutDir: true,
    target: 'es2022',
    // The first that know light-dark(): what takes its place for others needs color-scheme in the same file.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' },
    // A page that allows scripts by nonce trusts what they import, but not what a link element announces.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        landing: 'landing/main.ts',
        share: 'share/main.ts',
        embed: 'share/embed.ts',
        dashboard: 'dashboard/main.tsx',
        'api-reference': 'api-reference/main.ts',
      },
      // Libraries that also run on servers mark their files for React there; here the mark means nothing.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
    },
  },
})
