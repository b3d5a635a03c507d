import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of the repository, by its path from the root, with `/` as the separator. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

const foreign = new Set([
  'node_modules',
  'dist',
  '.corpora',
  '.data',
  '.git',
  'coverage',
  'clients/action/dist',
  'clients/sdk/dist',
  'clients/sdk/generated',
  'proto/gen',
  'bench/results',
])

async function pathsBelow(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const nested = entries.map(async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (foreign.has(path)) return []
    return entry.isDirectory() ? pathsBelow(root, path) : [path]
  })
  return (await Promise.all(nested)).flat()
}

/** Every hand-written TypeScript, JavaScript, JSON or CSS file. */
export async function sourceFiles(root: string): Promise<readonly SourceFile[]> {
  const paths = (await pathsBelow(root, '')).filter((path) => /\.(ts|tsx|mjs|json|css)$/.test(path)).sort()
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
}
