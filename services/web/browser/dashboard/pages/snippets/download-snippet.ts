import type { RawData } from '#sdk/exports.js'
import { saveFile } from '../../kit/save-file.js'

/** Larger data is saved as is, without looking for a single value in it. */
const readBytesMax = 10_000_000

const extensions: Readonly<Record<string, string>> = {
  csv: 'csv',
  sql: 'sql',
  xml: 'xml',
  html: 'html',
  yaml: 'yaml',
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

/** Chooses the file to save: a single value by itself, other data as JSON. */
export function fittingFile(json: string): { readonly extension: string; readonly content: string } {
  const entries = Object.entries(Object(parsed(json)))
  const [key, value] = entries[0] ?? []
  if (entries.length !== 1 || key === undefined || typeof value !== 'string')
    return { extension: 'json', content: json }
  return { extension: extensions[key] ?? 'txt', content: value }
}

function safeName(title: string): string {
  const name = title.replaceAll(/[\p{Cc}\p{Cf}<>:"/\\|?*]+/gu, ' ').trim()
  return name === '' ? 'snippet' : name
}

/** Saves the data of a snippet or a check as a file, with a fitting name and type. */
export async function downloadData(
  raw: Promise<RawData>,
  { title, size_bytes }: { readonly title: string; readonly size_bytes: number },
): Promise<void> {
  const sent = await (await raw).blob()
  const { extension, content } =
    size_bytes > readBytesMax ? { extension: 'json', content: sent } : fittingFile(await sent.text())
  saveFile(`${safeName(title)}.${extension}`, new Blob([content]))
}
