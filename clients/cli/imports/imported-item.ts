import type { Context } from '../context.js'

/** A file of an item: its text, or where to fetch it. */
export type ImportedFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly url: string; readonly headers?: Readonly<Record<string, string>> }

/** Something from another service, to be saved under its name. */
export interface ImportedItem {
  /** Of the snippet: another run replaces the same one. */
  readonly name: string
  readonly title: string
  readonly tool: string
  readonly tags: readonly string[]
  readonly files: readonly ImportedFile[]
}

/** What another service said is not what its documentation says. */
export class ImportFormatError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ImportFormatError'
  }
}

type Json = Readonly<Record<string, unknown>>

/** @throws ImportFormatError */
export function objectIn(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  throw new ImportFormatError(`${what} must be an object.`)
}

/** @throws ImportFormatError */
export function listIn(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new ImportFormatError(`${what} must be a list.`)
}

/** @throws ImportFormatError */
export function textIn(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw new ImportFormatError(`${what} must be a string.`)
}

/** A text, or an empty one. */
export function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Bytes as text: `data` of a snippet has no bytes. */
export function dataUrl(base64: string, type: string): string {
  return `data:${type || 'application/octet-stream'};base64,${base64}`
}

/**
 * Whether a response has all of a file. Services omit pictures, and replace what is not UTF-8: then the text does
 * not have as many bytes as the file.
 */
export function isWhole(text: string, { size }: Json): boolean {
  return typeof size !== 'number' || Buffer.byteLength(text) === size
}

/** Unprintable characters, and halves of surrogate pairs. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029]+/gu

/** A text as the server takes it: printable, not longer than this, not empty. */
function shortText(text: string, max: number, otherwise: string): string {
  const clean = [...text.replace(unprintable, ' ').trim()].slice(0, max).join('').trim()
  return clean === '' ? otherwise : clean
}

/** The tool of a file: its extension, else its language, else `text`. */
function toolOf(file: string, language: string): string {
  const extension = /\.([A-Za-z0-9]{1,16})$/.exec(file)?.[1]
  // Cut first: the time that the last pattern takes grows with the square of the length.
  const word = (extension ?? language)
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
  return word.slice(0, 64).replaceAll(/^[^a-z0-9]+|-+$/g, '') || 'text'
}

/** A file of a service, with the language that it names, or none. */
export type SourceFile = ImportedFile & { readonly language: string }

/** What a service tells of an item. */
export interface ItemSource {
  readonly service: string
  readonly id: string
  readonly title: string
  readonly tags: readonly string[]
  readonly files: readonly SourceFile[]
}

/** Files of the same name get a number, since they become the members of one object. */
function withUniqueNames(files: readonly SourceFile[]): readonly ImportedFile[] {
  const times = new Map<string, number>()
  return files.map(({ language: _language, ...file }) => {
    let name = file.name
    let time = times.get(name) ?? 1
    while (times.has(name)) {
      time += 1
      name = `${file.name} (${time})`
    }
    times.set(file.name, time)
    times.set(name, times.get(name) ?? 1)
    return { ...file, name }
  })
}

/** @throws ImportFormatError for an item without files. */
export function itemOf({ service, id, title, tags, files }: ItemSource): ImportedItem {
  const [first] = files
  if (first === undefined) throw new ImportFormatError(`${service} ${id} has no files.`)
  const name = `import-${service}-${id}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]/g, '-')
    .slice(0, 100)
  return {
    name,
    title: shortText(title, 200, shortText(first.name, 200, name)),
    tool: toolOf(first.name, first.language),
    tags: [...new Set(tags.map((tag) => shortText(tag, 50, '')).filter((tag) => tag !== ''))].slice(0, 20),
    files: withUniqueNames(files),
  }
}

/** What to import, as it was typed. */
export interface ImportArguments {
  readonly what: readonly string[]
  /** All gists of this user. */
  readonly user: string | undefined
  /** Begins the names of the snippets, instead of `import-SERVICE`. */
  readonly prefix: string | undefined
  /** Nothing is saved, so nothing may be fetched that is deleted by that. */
  readonly dryRun: boolean
}

/** An item of another service, not yet read: if that fails, the others can still be imported. */
export interface FoundItem {
  /** What to call it if it fails. */
  readonly from: string
  /** Reads it and hands it to `save`. Throws whatever either throws. */
  importWith<Result>(save: (item: ImportedItem) => Promise<Result>): Promise<Result>
}

/** Finds the items of one service, one by one. */
export type ImportSource = (
  context: Context,
  input: ImportArguments,
) => AsyncGenerator<FoundItem, void, undefined>

/** An item that can be read again. */
export function found(from: string, read: () => ImportedItem | Promise<ImportedItem>): FoundItem {
  return { from, importWith: async (save) => save(await read()) }
}
