import { join } from 'node:path'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress-assets.js'

// Vite respects a NODE_ENV that is already set, and builds for development unless it is production; tests run
// under `test`.
process.env.NODE_ENV = 'production'

// One entry per kind of page. The server finds them in the manifest and serves everything under /assets/.
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
    // The first versions with light-dark(): its fallback for older ones needs color-scheme in the same file.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    manifest: 'manifest.json',
    license: { fileName: 'licenses.md' },
    // The CSP trusts what a script with the nonce imports, but no preload links.
    modulePreload: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        landing: 'landing/main.ts',
        share: 'share/main.ts',
        embed: 'share/embed.ts',
        compare: 'compare/main.ts',
        'tool-list': 'tool-list/main.ts',
        tool: 'tools/main.ts',
        'tools-offline': 'tools-offline/main.ts',
        dashboard: 'dashboard/main.tsx',
        'api-reference': 'api-reference/main.ts',
      },
      // Libraries that support server components mark files with "use client", which means nothing here.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
    },
  },
})
