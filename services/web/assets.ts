import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages that scripts bring to life. */
export type PageName =
  | 'landing'
  | 'share'
  | 'embed'
  | 'compare'
  | 'tool-list'
  | 'tool'
  | 'tools-offline'
  | 'dashboard'
  | 'api-reference'

/** What a page loads: the URLs of its script and its styles. */
export interface PageAssets {
  readonly script: string
  readonly styles: readonly string[]
}

export type Coding = 'br' | 'gzip'

export interface Asset {
  readonly contentType: string
  /** The file as it is, or compressed. */
  read(coding: Coding | null): Promise<Buffer>
}

/** Everything that pages load. URLs change when content changes. */
export interface Assets {
  of(page: PageName): PageAssets
  /** The file at this path, which begins with `/assets/`. */
  find(path: string): Asset | undefined
  /** The paths of all that these pages load, now or later. */
  reachable(pages: readonly PageName[]): Promise<readonly string[]>
}

interface ManifestChunk {
  readonly file: string
  readonly css?: readonly string[]
  /** The chunks that it imports statically, by their names in the manifest. */
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, ManifestChunk>>

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

/** Larger files are read from disk for each request: there are few, and pages rarely load them. */
const keptBytesMax = 512 * 1024

async function readAsset(path: string, contentType: string): Promise<Asset> {
  const forms = [path, `${path}.br`, `${path}.gz`] as const
  const { size } = await stat(path)
  const kept = size > keptBytesMax ? null : await Promise.all(forms.map((form) => readFile(form)))
  const indexOf = { br: 1, gzip: 2 } as const
  return {
    contentType,
    async read(coding) {
      const index = coding === null ? 0 : indexOf[coding]
      return kept?.[index] ?? readFile(forms[index])
    },
  }
}

async function readManifest(path: string): Promise<Manifest> {
  const json = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The scripts of the pages are not built: run npm run build, which makes ${path}.`, {
      cause: error,
    })
  })
  return JSON.parse(json)
}

/** The styles of an entry and of all its static imports, imported ones first. */
function stylesOf(
  manifest: Manifest,
  entry: string,
  seen: ReadonlySet<string> = new Set(),
): readonly string[] {
  const chunk = manifest[entry]
  if (chunk === undefined || seen.has(entry)) return []
  const imported = (chunk.imports ?? []).flatMap((name) =>
    stylesOf(manifest, name, new Set([...seen, entry])),
  )
  return [...new Set([...imported, ...(chunk.css ?? []).map((file) => `/${file}`)])]
}

/** The files that these name, and so on: chunks are imported, and workers and styles loaded, by the names of their files. */
async function reachableFiles(
  files: ReadonlyMap<string, Asset>,
  from: readonly string[],
): Promise<readonly string[]> {
  const found = new Set(from)
  for (const path of found) {
    const text = String(await files.get(path)?.read(null))
    // Looking behind keeps it linear: a long word is tried once.
    for (const [name] of text.matchAll(/(?<![\w.-])[\w.-]+\.(?:js|css)\b/g))
      if (files.has(`/assets/${name}`)) found.add(`/assets/${name}`)
  }
  return [...found]
}

/**
 * Finds the output of the browser build and keeps all but large files in memory.
 * @throws Error when it was not built.
 */
export async function readAssets(folder: string): Promise<Assets> {
  const manifest = await readManifest(join(folder, 'manifest.json'))
  const pageOf = (entry: string): PageAssets => {
    const chunk = manifest[entry]
    if (chunk === undefined) throw new Error(`The build of the pages has no ${entry}.`)
    return { script: `/${chunk.file}`, styles: stylesOf(manifest, entry) }
  }
  const pages: Readonly<Record<PageName, PageAssets>> = {
    landing: pageOf('landing/main.ts'),
    share: pageOf('share/main.ts'),
    embed: pageOf('share/embed.ts'),
    compare: pageOf('compare/main.ts'),
    'tool-list': pageOf('tool-list/main.ts'),
    tool: pageOf('tools/main.ts'),
    'tools-offline': pageOf('tools-offline/main.ts'),
    dashboard: pageOf('dashboard/main.tsx'),
    'api-reference': pageOf('api-reference/main.ts'),
  }
  const files = new Map<string, Asset>()
  for (const name of await readdir(join(folder, 'assets'))) {
    const contentType = contentTypes[name.split('.').at(-1) ?? '']
    if (contentType !== undefined)
      files.set(`/assets/${name}`, await readAsset(join(folder, 'assets', name), contentType))
  }
  return {
    of: (page) => pages[page],
    find: (path) => files.get(path),
    reachable: (names) =>
      reachableFiles(
        files,
        names.flatMap((name) => [pages[name].script, ...pages[name].styles]),
      ),
  }
}
