import type { Holding } from '../sdk/new-output.js'
import type { RawData } from '../sdk/raw-data.js'
import { shareAt } from '../sdk/references.js'
import type { Snipkeep } from '../sdk/snipkeep.js'
import type { CallOptions } from '../sdk/transport.js'
import type { CommandOptions } from './command.js'
import type { ContentSource } from './content-source.js'
import type { Context } from './context.js'
import { usageError } from './exit-codes.js'

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** Parses `10m`, `36h` or `30d` to seconds. */
export function durationSeconds(text: string): number {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(text) ?? []
  const seconds = Number(count) * (units[unit ?? ''] ?? Number.NaN)
  if (Number.isNaN(seconds)) throw usageError(`Not a duration: ${text}. Write 10m, 36h or 30d.`)
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

/** Options of commands that send a text. */
export const textOptions: CommandOptions = {
  '-t, --tool <tool>': 'the tool that made it (default: the extension of the file)',
  '--title <title>': 'its title (default: the name of the file)',
  '--key <member>': 'the member of data that holds the text (default: the last word of the tool)',
}

/** What a text is in, of commands that send one. */
export const encodingOption: CommandOptions = {
  '--encoding <name>':
    'what the text is in, such as windows-1252, or auto to go by its mark (default: utf-8)',
}

/** Uploads content with the method of an SDK resource, and a progress bar if it takes long. */
export async function upload<Result>(
  context: Context,
  { size, name }: ContentSource,
  send: (sk: Snipkeep, options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const sk = await context.client()
  if (size === 0)
    await context.note(
      name === null
        ? 'Standard input was empty: did the step before it fail? Nothing is what gets saved.'
        : `${name} is empty.`,
    )
  const progress = context.progress('Sending', size)
  try {
    return await send(sk, { onProgress: ({ sent }) => progress.at(sent) })
  } finally {
    progress.end()
  }
}

/** Downloads content, with a progress bar if it takes long. */
export async function* received(
  context: Context,
  { body, size }: RawData,
): AsyncGenerator<Uint8Array, void, undefined> {
  const progress = context.progress('Receiving', size)
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      progress.at(bytes)
      yield chunk
    }
  } finally {
    progress.end()
  }
}

/** Content as the SDK takes it: text, which becomes a member of `data`, or the JSON of `data` itself. */
export function holding(source: ContentSource, isData: boolean, key: string | undefined): Holding {
  if (isData) return { json: source }
  return { content: source, ...(key === undefined ? {} : { key }) }
}

/** The share that a URL names; `null` for what is no URL. */
export function shareIn(text: string): ReturnType<typeof shareAt> {
  const share = shareAt(text)
  if (share === null && /^https?:\/\//.test(text) && URL.canParse(text))
    throw usageError(`This is not the URL of a share: ${text}`)
  return share
}
