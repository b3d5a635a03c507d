import { looksLikeCsv } from '#engine/csv/looks-like-csv.js'
import { readJson } from '#libs/core/read-json.js'
import { looksLikeSql } from '../../document/kinds/looks-like.js'

/** What data can be saved as. `json` is sent as is, everything else as a string under a key of that name. */
export type DataKind = 'json' | 'csv' | 'sql' | 'text'

export const dataKinds: readonly DataKind[] = ['csv', 'json', 'sql', 'text']

/** Data ready to send: the text of one JSON object. */
export interface ReadyData {
  readonly kind: DataKind
  readonly data: Blob
  /** The key it was wrapped in, because the API only accepts objects. */
  readonly wrappedUnder: string | null
}

/** Larger JSON is not validated here; the API does it. */
const readBytesMax = 2_000_000
const guessedLength = 65_536

function extensionOf(fileName: string): string {
  return /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
}

/** Detects the kind of a text from its file name and its beginning. */
export function guessKind(fileName: string, content: string): DataKind {
  const extension = extensionOf(fileName)
  if (extension === 'csv' || extension === 'tsv') return 'csv'
  if (extension === 'sql') return 'sql'
  if (extension === 'txt' || extension === 'md' || extension === 'log') return 'text'
  const head = content.trimStart()
  const isJson = content.length > readBytesMax || readJson(content) !== undefined
  if (/^[[{]/.test(head) && isJson) return 'json'
  if (extension === 'json' && isJson) return 'json'
  if (looksLikeSql(head)) return 'sql'
  return looksLikeCsv(new TextEncoder().encode(head.slice(0, guessedLength))) ? 'csv' : 'text'
}

/** Whether a text can be saved as JSON; large texts are not fully checked. */
export function isJson(content: string): boolean {
  return content.length > readBytesMax ? /^\s*[[{]/.test(content) : readJson(content) !== undefined
}

/**
 * Converts a text to data. JSON stays as written, byte for byte; arrays are wrapped in `items`, other values
 * in `value`.
 */
export function readyData(kind: DataKind, content: string): ReadyData {
  if (kind !== 'json') {
    const data = new Blob([`{${JSON.stringify(kind)}:${JSON.stringify(content)}}`])
    return { kind, data, wrappedUnder: null }
  }
  const first = content.trimStart()[0]
  if (first === '{') return { kind, data: new Blob([content]), wrappedUnder: null }
  const key = first === '[' ? 'items' : 'value'
  return { kind, data: new Blob([`{"${key}":`, content, '}']), wrappedUnder: key }
}

/** A title from a file name; empty if the name says nothing. */
export function titleFromFile(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim()
  return [...name].slice(0, 200).join('')
}

/** Pasted text, or the text of a file. */
export interface NewContent {
  /** Empty for pasted text. */
  readonly fileName: string
  readonly text: string
}

/**
 * Decodes a text file, without its byte order mark.
 * @throws TypeError when it is not UTF-8.
 */
export async function readFile(file: File): Promise<NewContent> {
  const bytes = await file.arrayBuffer()
  return { fileName: file.name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
}
