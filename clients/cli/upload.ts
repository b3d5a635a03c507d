import type { CallOptions } from './api.js'
import { shown } from './command.js'
import type { ContentSource } from './content-source.js'
import type { Context } from './context.js'
import { CliError, exitCodes } from './exit-codes.js'
import { printable } from './terminal.js'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Parses `10m`, `36h` or `30d` to seconds. */
export function durationSeconds(text: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? []
  const seconds = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  if (Number.isNaN(seconds))
    throw new CliError(`Not a duration: ${text}. Write 10m, 36h or 30d.`, exitCodes.usage)
  return seconds
}

/** Parses a duration to seconds; `null` for `never`. */
export function expirySeconds(text: string): number | null {
  return text === 'never' ? null : durationSeconds(text)
}

/** The default tool of a file: its extension. */
export function toolOf(name: string | null): string {
  const extension = /\.([A-Za-z0-9]{1,16})$/.exec(name ?? '')?.[1]
  return extension?.toLowerCase() ?? 'text'
}

/** The member of `data` that the gateway creates for text from this tool, unless told otherwise. */
export function defaultKey(tool: string): string {
  return tool.split(/[._-]/).findLast((word) => word !== '') ?? 'text'
}

/** The media types content may be sent as. */
export const contentTypes = {
  text: 'text/plain; charset=utf-8',
  data: 'application/vnd.snipkeep.data+json',
} as const

/** Uploads content, with a progress bar if it takes long. */
export async function upload(
  context: Context,
  method: 'POST' | 'PUT',
  path: string,
  content: ContentSource,
  query: NonNullable<CallOptions['query']>,
  type: keyof typeof contentTypes = 'text',
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
  const api = await context.api()
  const progress = context.progress('Sending', content.size)
  try {
    return await api.json(method, path, {
      query,
      body: content,
      headers: { 'Content-Type': contentTypes[type], ...headers },
      onSent: (bytes) => progress.at(bytes),
    })
  } finally {
    progress.end()
  }
}

/** The path of a snippet by its id or `@name`. */
export function snippetPath(id: string): string {
  return `/api/snippets/${id.startsWith('@') ? '@' : ''}${encodeURIComponent(id.replace(/^@/, ''))}`
}

/** The snippet and the version in `id@3` or `@name@3`; `~3` means the same. `null` if no version is named. */
export function versionOf(text: string): { readonly id: string; readonly version: number } | null {
  const [, id, version] = /^(@?[^@~]+)[@~]([1-9][0-9]{0,8})$/.exec(text) ?? []
  return id === undefined ? null : { id, version: Number(version) }
}

/** Parses the URL of a share; `null` if it is not one. */
export function shareAt(text: string): { readonly server: string; readonly id: string } | null {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const [, base = '', id] = /^(.*)\/s\/([A-Za-z0-9_-]+)/.exec(url.pathname) ?? []
  if (id === undefined) throw new CliError(`This is not the URL of a share: ${text}`, exitCodes.usage)
  return { server: `${url.origin}${base}`, id }
}

/** Formats rows as aligned columns. */
export function table(rows: readonly (readonly unknown[])[]): string {
  const widths: number[] = []
  const texts = rows.map((row) => row.map((cell) => printable(shown(cell))))
  for (const row of texts)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return texts
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
