import { readFileSync, statSync } from 'node:fs'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
}

const folder = 'dist/services/web/browser'

/** The brotli-compressed bytes of the script that a page loads at once. */
export function initialScriptBytes(page: string): number {
  const manifest = readFileSync(`${folder}/manifests/${page}.json`, 'utf8')
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(manifest)
  const entry = Object.values(chunks).find(({ isEntry }) => isEntry === true)
  return statSync(`${folder}/${entry?.file}.br`).size
}
