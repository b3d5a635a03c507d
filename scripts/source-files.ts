import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of the repository, by its path from the root, with `/` as the separator. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** What `.gitignore` leaves out, by its name in any folder. */
const ignored = new Set(['node_modules', 'dist', '.corpora', '.data', '.git', '.certificates', 'coverage'])

const generated = ['clients/sdk/generated', 'proto/gen', 'bench/results']

/** The paths of all files of the repository, also where there is no git; without generated bundles. */
export async function repositoryPaths(root: string, folder = ''): Promise<readonly string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const nested = entries.map(async (entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.has(entry.name)) return []
    return entry.isDirectory() ? repositoryPaths(root, path) : [path]
  })
  return (await Promise.all(nested)).flat().sort()
}

/** Every hand-written TypeScript, JavaScript, JSON or CSS file. */
export async function sourceFiles(root: string): Promise<readonly SourceFile[]> {
  const paths = (await repositoryPaths(root)).filter(
    (path) =>
      /\.(ts|tsx|mjs|json|css)$/.test(path) && !generated.some((folder) => path.startsWith(`${folder}/`)),
  )
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })))
}
