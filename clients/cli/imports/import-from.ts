import type { ContentSource } from '../content-source.js'
import type { Context } from '../context.js'
import { CliError, CliExit, describeError, exitCodeOf, exitCodes, usageError } from '../exit-codes.js'
import { savedAlready } from '../saved-content.js'
import { printable, write } from '../terminal.js'
import { fetchFile, RateLimitedError } from './fetch-source.js'
import { importSources } from './import-sources.js'
import type { FoundItem, ImportArguments, ImportedItem } from './imported-item.js'

/** The content of an item: an object with a member for each file. */
async function contentOf({ name, files }: ImportedItem, signal: AbortSignal): Promise<ContentSource> {
  const data: [string, string][] = []
  for (const file of files) {
    const text = 'text' in file ? file.text : await fetchFile(file.url, file.headers ?? {}, signal)
    data.push([file.name, text])
  }
  const bytes = new TextEncoder().encode(JSON.stringify(Object.fromEntries(data)))
  return { name, size: bytes.length, open: () => new Blob([bytes]).stream(), close: async () => undefined }
}

async function importItem(context: Context, item: ImportedItem): Promise<'unchanged' | 'saved'> {
  const { name, tool, title, tags } = item
  const source = await contentOf(item, context.terminal.signal)
  const sk = await context.client()
  const reference = `@${name}`
  if ((await savedAlready(sk, reference, { tool, title, tags, key: null, source })) !== null)
    return 'unchanged'
  await sk.snippets.put(reference, { tool, title, tags, json: source })
  return 'saved'
}

/** Whether every other item would fail for the same reason. */
function concernsAll(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || error instanceof RateLimitedError) return true
  const code = exitCodeOf(error)
  return code === exitCodes.notSignedIn || (code === exitCodes.unavailable && !(error instanceof CliError))
}

/** @throws CliError for wrong usage. */
function findItems(context: Context, from: string, input: ImportArguments): AsyncGenerator<FoundItem> {
  const source = Object.hasOwn(importSources, from) ? importSources[from] : undefined
  if (source === undefined) {
    const known = ['archive', ...Object.keys(importSources)].join(', ')
    throw usageError(`Choose where to import from: ${known}.`)
  }
  if (input.what.length === 0 && input.user === undefined)
    throw usageError(`Say what to import: snipkeep import ${from} …`)
  if (input.prefix !== undefined && !/^[a-z0-9][a-z0-9._-]{0,49}$/.test(input.prefix))
    throw usageError('A prefix has up to 50 of the characters a-z, 0-9, ".", "_" and "-".')
  return source(context, input)
}

/**
 * Imports items of another service. One that fails is named on standard error, and the others are imported.
 * @throws CliError; CliExit if items failed.
 */
export async function importFrom(context: Context, from: string, input: ImportArguments): Promise<void> {
  const { dryRun, prefix = `import-${from}` } = input
  const { signal, stderr } = context.terminal
  const summary = { saved: 0, unchanged: 0, failed: 0 }
  const items: Record<string, string>[] = []
  const importOne = async (read: ImportedItem): Promise<Record<'name' | 'title', string>> => {
    const name = `${prefix}${read.name.slice(`import-${from}`.length)}`.slice(0, 100)
    const result = dryRun ? 'saved' : await importItem(context, { ...read, name })
    summary[result] += 1
    items.push({ name, title: read.title, result })
    return { name, title: read.title }
  }
  let single: unknown
  let end: unknown
  try {
    for await (const item of findItems(context, from, input)) {
      try {
        const { name, title } = await item.importWith(importOne)
        await context.note(`@${name}: ${printable(title)}`)
      } catch (error) {
        if (concernsAll(error, signal)) throw error
        single = error
        summary.failed += 1
        items.push({ from: item.from, result: 'failed', detail: describeError(error) })
        await write(stderr, `${printable(`${item.from}: ${describeError(error)}`)}\n`)
      }
    }
  } catch (error) {
    if (items.length === 0) throw error
    end = error
  }
  const failed = summary.failed === 0 ? '' : `, ${summary.failed} failed`
  const done = `${summary.saved} saved, ${summary.unchanged} unchanged${failed}`
  await context.result(
    { items, summary, dry_run: dryRun },
    `${done}${dryRun ? ' (nothing was stored)' : ''}\n`,
  )
  if (end !== undefined) throw end
  if (summary.failed > 0) throw new CliExit(items.length === 1 ? exitCodeOf(single) : exitCodes.failed)
}
