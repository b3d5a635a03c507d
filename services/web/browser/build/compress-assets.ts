import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { encode } from '#libs/runtime/content-coding.js'

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  const [small, common] = await Promise.all([encode(bytes, 'br', 'always'), encode(bytes, 'gzip', 'always')])
  await Promise.all([writeFile(`${path}.br`, small), writeFile(`${path}.gz`, common)])
}

/** Writes each script and style in brotli and gzip as well, so that nothing is compressed per request. */
export function compressAssets(): Plugin {
  return {
    name: 'compress-assets',
    apply: 'build',
    async writeBundle({ dir = '.' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name))
      await Promise.all(names.map((name) => compress(join(dir, name))))
    },
  }
}
