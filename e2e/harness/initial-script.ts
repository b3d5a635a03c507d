import { readFileSync, statSync } from 'node:fs'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

const folder = 'dist/services/web/browser'

/** The brotli-compressed bytes of a page's script and its static imports. */
export function initialScriptBytes(entry: string): number {
  const chunks: Readonly<Record<string, Chunk>> = JSON.parse(readFileSync(`${folder}/manifest.json`, 'utf8'))
  const reached = new Set<string>()
  const reach = (name: string): void => {
    if (reached.has(name)) return
    reached.add(name)
    for (const other of chunks[name]?.imports ?? []) reach(other)
  }
  reach(entry)
  const sizes = [...reached].map((name) => statSync(`${folder}/${chunks[name]?.file}.br`).size)
  return sizes.reduce((sum, size) => sum + size, 0)
}
