import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages that scripts bring to life. */
export type PageName = 'share' | 'dashboard'

/** What a page loads: the address of its script, and those of its styles. */
export interface PageAssets {
  readonly script: string
  readonly styles: readonly string[]
}

/** A file that pages load, as it is and compressed. */
export interface Asset {
  readonly contentType: string
  readonly bytes: Buffer
  readonly brotli: Buffer
  readonly gzip: Buffer
}

/** Everything that pages load. Its addresses change with what is behind them. */
export interface Assets {
  of(page: PageName): PageAssets
  /** The file at this address, which begins with `/assets/`. */
  find(path: string): Asset | undefined
}

interface ManifestChunk {
  readonly file: string
  readonly css?: readonly string[]
  /** The chunks that it imports at once, by their names in the manifest. */
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, ManifestChunk>>

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

async function readAsset(path: string, contentType: string): Promise<Asset> {
  const [bytes, brotli, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`),
    readFile(`${path}.gz`),
  ])
  return { contentType, bytes, brotli, gzip }
}

async function readManifest(path: string): Promise<Manifest> {
  const json = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The scripts of the pages are not built: run npm run build, which makes ${path}.`, {
      cause: error,
    })
  })
  return JSON.parse(json)
}

/** The styles of an entry and of all that it imports at once, those of imports first. */
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

/**
 * Reads what the build of the browser's part has made into memory.
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
    share: pageOf('share/main.ts'),
    dashboard: pageOf('dashboard/main.tsx'),
  }
  const files = new Map<string, Asset>()
  for (const name of await readdir(join(folder, 'assets'))) {
    const contentType = contentTypes[name.split('.').at(-1) ?? '']
    if (contentType !== undefined)
      files.set(`/assets/${name}`, await readAsset(join(folder, 'assets', name), contentType))
  }
  return { of: (page) => pages[page], find: (path) => files.get(path) }
}
