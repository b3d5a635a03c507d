import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Coding } from '#libs/runtime/content-coding.js'
import { type PageLanguage, pageLanguages } from '#shared/core/page-language.js'
import { type Guide, guidesFile, readGuides } from './guides.js'
import { speech } from './texts/speech.js'

/** The pages that scripts bring to life; each has a build of its own (`browser/vite.config.ts`). */
export const pageNames = [
  'landing',
  'guide',
  'share',
  'share-markdown',
  'embed',
  'compare',
  'tool-list',
  'tool',
  'tools-offline',
  'dashboard',
] as const

export type PageName = (typeof pageNames)[number]

/** What a page loads: the URLs of its script, and of its style sheet if it has one of its own. */
export interface PageAssets {
  readonly script: string
  readonly style: string | null
}

export interface Asset {
  readonly contentType: string
  /** The file as it is, or compressed. */
  read(coding: Coding | null): Promise<Buffer>
}

/** Everything that pages load. URLs change when content changes. */
export interface Assets {
  /** In the language of the request. */
  of(page: PageName): PageAssets
  /** The file at this path, which begins with `/assets/`. */
  find(path: string): Asset | undefined
  /** Icons, and pictures of link previews, by path. They keep their names. */
  readonly pictures: ReadonlyMap<string, Buffer>
  /** The paths of all that these pages load, now or later. */
  reachable(pages: readonly PageName[]): Promise<readonly string[]>
  /** The pages below `/docs`. */
  readonly guides: readonly Guide[]
}

/** What Vite writes about the build of a page in a language: English has no suffix. */
export function manifestName(page: PageName, language: PageLanguage): string {
  return language === 'en' ? `${page}.json` : `${page}.${language}.json`
}

interface ManifestChunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly css?: readonly string[]
  /** Chunks that it imports statically. */
  readonly imports?: readonly string[]
}

type Manifest = Readonly<Record<string, ManifestChunk>>

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
}

async function readAsset(path: string, contentType: string): Promise<Asset> {
  const [plain, br, gzip] = await Promise.all([
    readFile(path),
    readFile(`${path}.br`),
    readFile(`${path}.gz`),
  ])
  const coded = { br, gzip }
  return { contentType, read: async (coding) => (coding === null ? plain : coded[coding]) }
}

async function readManifest(path: string): Promise<Manifest> {
  const json = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Error(`The scripts of the pages are not built: run npm run build, which makes ${path}.`, {
      cause: error,
    })
  })
  return JSON.parse(json)
}

/** The entry of a build: one script and at most one style sheet, so that a page needs few requests. */
function entryOf(page: PageName, manifest: Manifest): PageAssets {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true)
  if (entry === undefined) throw new Error(`The build of the page ${page} has no entry.`)
  const { file, css: [style, ...styles] = [], imports = [] } = entry
  if (styles.length > 0 || imports.length > 0)
    throw new Error(`The page ${page} would load more than one script and one style sheet.`)
  return { script: `/${file}`, style: style === undefined ? null : `/${style}` }
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

async function readPictures(folder: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(folder)
  return new Map(
    await Promise.all(
      names.map(async (name) => [`/images/${name}`, await readFile(join(folder, name))] as const),
    ),
  )
}

/**
 * Finds the output of the browser build and keeps it in memory.
 * @throws Error when it was not built.
 */
export async function readAssets(folder: string): Promise<Assets> {
  const pages = new Map<string, PageAssets>()
  for (const language of pageLanguages)
    for (const name of pageNames) {
      const file = manifestName(name, language)
      pages.set(file, entryOf(name, await readManifest(join(folder, 'manifests', file))))
    }
  const of = (page: PageName): PageAssets => {
    const found = pages.get(manifestName(page, speech.language))
    if (found === undefined) throw new Error(`The build of the pages has no ${page}.`)
    return found
  }
  const files = new Map<string, Asset>()
  for (const name of await readdir(join(folder, 'assets'))) {
    const contentType = contentTypes[name.split('.').at(-1) ?? '']
    if (contentType !== undefined)
      files.set(`/assets/${name}`, await readAsset(join(folder, 'assets', name), contentType))
  }
  return {
    of,
    find: (path) => files.get(path),
    pictures: await readPictures(join(folder, 'images')),
    guides: await readGuides(join(folder, guidesFile)),
    reachable: (names) =>
      reachableFiles(
        files,
        names.map(of).flatMap(({ script, style }) => [script, ...(style === null ? [] : [style])]),
      ),
  }
}
