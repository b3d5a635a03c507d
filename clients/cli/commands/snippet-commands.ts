import { readableSize } from '#libs/core/readable-text.js'
import { type CommandSpec, listOption, type OptionValues, shown, textOption } from '../command.js'
import { yesOption } from '../confirm.js'
import { openContent } from '../content-source.js'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { revealed } from '../reveal-share.js'
import { savedAlready } from '../saved-content.js'
import { shareOnServer } from '../share-on-server.js'
import { ask } from '../terminal.js'
import { defaultKey, shareAt, snippetPath, table, toolOf, upload, versionOf } from '../upload.js'
import { contentOptions, writeContent } from '../write-content.js'

const content = [
  { flags: '-t, --tool <tool>', description: 'the tool that made it (default: the extension of the file)' },
  { flags: '--title <title>', description: 'its title (default: the name of the file)' },
  {
    flags: '--key <member>',
    description: 'the member of data that holds the text (default: the last word of the tool)',
  },
  { flags: '--data', description: 'the file is a JSON object, to be stored as data itself' },
]

/** Saves a file as a private snippet. */
export const save: CommandSpec = {
  usage: 'save [file]',
  summary: 'Save a file or standard input as a snippet; prints its id',
  options: [
    ...content,
    { flags: '--tag <tag>', description: 'a tag; repeat it for several', isList: true },
    { flags: '--name <name>', description: 'create or replace your snippet of this name' },
    {
      flags: '--if-changed',
      description:
        'with --name: read what is saved first, and send nothing if content, tool, title and tags are the same',
    },
  ],
  examples: [
    'snipkeep save team.csv',
    'report | snipkeep save -t csv --name nightly-report',
    'snipkeep save team.csv --name team --if-changed',
  ],
  async run(context, [file], options) {
    const name = textOption(options, 'name')?.replace(/^@/, '')
    if (options.ifChanged === true && name === undefined)
      throw new CliError('--if-changed needs --name: it compares with what has this name.', exitCodes.usage)
    const source = await openContent(file, context.terminal)
    try {
      const tool = textOption(options, 'tool') ?? toolOf(source.name)
      const title = textOption(options, 'title') ?? source.name ?? undefined
      const tags = listOption(options, 'tag')
      const key = textOption(options, 'key')
      const path = name === undefined ? '/api/snippets' : snippetPath(`@${name}`)
      const type = options.data === true ? 'data' : 'text'
      if (options.ifChanged === true) {
        const wanted = { tool, title, tags, key: type === 'data' ? null : (key ?? defaultKey(tool)), source }
        const same = await savedAlready(await context.api(), path, wanted)
        if (same !== null) {
          await context.note(`Unchanged: "${shown(same.title)}".`)
          return await context.result({ ...same, changed: false }, `${shown(same.id)}\n`)
        }
      }
      const method = name === undefined ? 'POST' : 'PUT'
      const saved = await upload(context, method, path, source, { tool, title, tag: tags, key }, type)
      await context.note(`Saved "${shown(saved.title)}" (${readableSize(Number(saved.size_bytes))}).`)
      const result = options.ifChanged === true ? { ...saved, changed: true } : saved
      await context.result(result, `${shown(saved.id)}\n`)
    } finally {
      await source.close()
    }
  },
}

interface Download {
  readonly path: string
  readonly query: { readonly pointer: string | undefined; readonly rows: string | undefined }
  readonly server: string | undefined
  readonly headers: Readonly<Record<string, string>>
}

async function download(
  context: Context,
  { path, query, server, headers }: Download,
  options: OptionValues,
): Promise<void> {
  const api = await context.api(server === undefined ? 'account' : 'public', server)
  const response = await api.call('GET', path, { query, headers: { Accept: '*/*', ...headers } })
  const length = response.headers.get('Content-Length')
  const progress = context.progress('Receiving', length === null ? null : Number(length))
  async function* received(): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      progress.at(bytes)
      yield chunk
    }
  }
  try {
    await writeContent(context.terminal, received(), options)
  } finally {
    progress.end()
  }
}

function dataPath(reference: string): string {
  const wanted = versionOf(reference)
  return wanted === null ? snippetPath(reference) : `${snippetPath(wanted.id)}/revisions/${wanted.version}`
}

/** Writes the bytes of a snippet, of one of its versions, or of a share. */
export const get: CommandSpec = {
  usage: 'get <id>',
  summary:
    'Write the bytes of a snippet (id or @name; @name@3 for a version) or of a share (URL) to standard output',
  options: [
    {
      flags: '-p, --pointer <pointer>',
      description: 'only this value, by its JSON Pointer; strings come decoded',
    },
    {
      flags: '-r, --rows <range>',
      description: 'with --pointer: only these rows of an array or of CSV, counted from 1',
    },
    ...contentOptions,
    {
      flags: '--password-stdin',
      description: 'the password of the share is on standard input; opening it uses up a view',
    },
  ],
  examples: [
    'snipkeep get @nightly-report -p /csv',
    'snipkeep get @nightly-report -p /csv --rows 1-100',
    'snipkeep get @nightly-report@3 -o before.json',
    'snipkeep get https://snipkeep.example/s/rZAApimavIe4RHcY1CnKxr -o team.json',
  ],
  takesSnippets: true,
  async run(context, [id = ''], options) {
    const share = shareAt(id)
    const path = share === null ? dataPath(id) : `/api/shares/${share.id}`
    const grant = share === null ? {} : await revealed(context, share, options.passwordStdin === true)
    const query = { pointer: textOption(options, 'pointer'), rows: textOption(options, 'rows') }
    await download(context, { path: `${path}/raw`, query, server: share?.server, headers: grant }, options)
  },
}

const listOptions = [
  { flags: '-t, --tool <tool>', description: 'only of this tool' },
  { flags: '--tag <tag>', description: 'only with this tag; repeat it for several', isList: true },
  { flags: '-q, --query <words>', description: 'only with these words in title or tags' },
  { flags: '-L, --limit <count>', description: 'how many at most (default: 20)' },
  { flags: '--shares', description: 'your shares instead of your snippets' },
]

/** Reads pages until there are enough items. */
export async function readPages(
  context: Context,
  path: string,
  list: string,
  limitText: string | undefined,
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
): Promise<readonly Record<string, unknown>[]> {
  const limit = Number(limitText ?? 20)
  if (!Number.isInteger(limit) || limit < 1)
    throw new CliError('--limit is a whole number of at least 1.', exitCodes.usage)
  const api = await context.api()
  const items: Record<string, unknown>[] = []
  let cursor: string | undefined
  do {
    const page = await api.json('GET', path, {
      query: { ...query, limit: String(Math.min(100, limit - items.length)), cursor },
    })
    const found: unknown = page[list]
    items.push(...(Array.isArray(found) ? found : []))
    cursor = typeof page.next_cursor === 'string' ? page.next_cursor : undefined
  } while (cursor !== undefined && items.length < limit)
  return items
}

/** Lists snippets or shares. */
export const list: CommandSpec = {
  usage: 'list',
  summary: 'List your snippets or shares, newest first',
  options: listOptions,
  examples: ['snipkeep list -t csv --tag nightly', 'snipkeep list --json=id,title'],
  async run(context, _args, options) {
    const isShares = options.shares === true
    const limit = textOption(options, 'limit')
    const tool = textOption(options, 'tool')
    const items = isShares
      ? await readPages(context, '/api/shares', 'shares', limit, { tool })
      : await readPages(context, '/api/snippets', 'snippets', limit, {
          tool,
          tag: listOption(options, 'tag'),
          q: textOption(options, 'query'),
          include_data: 'false',
        })
    const rows = items.map((one) => [
      isShares ? one.share_url : one.id,
      ...(isShares ? [] : [one.name === undefined ? '' : `@${shown(one.name)}`]),
      one.tool,
      readableSize(Number(one.size_bytes)),
      shown(one.created_at).slice(0, 10),
      shown(one.title),
    ])
    await context.result(items, table(rows))
  },
}

/** Deletes snippets and shares. */
export const remove: CommandSpec = {
  usage: 'rm <id...>',
  summary: 'Delete snippets (id or @name) and shares (URL)',
  options: [yesOption],
  examples: ['snipkeep rm @nightly-report --yes'],
  takesSnippets: true,
  async run(context, ids, options) {
    const { terminal } = context
    if (options.yes !== true) {
      if (terminal.stdin.isTTY !== true)
        throw new CliError('To delete without a terminal, add --yes.', exitCodes.usage)
      const reply = await ask(terminal, `Delete ${ids.join(', ')}? This cannot be undone. [y/N] `)
      if (!/^y(es)?$/i.test(reply)) throw new CliError('Nothing was deleted.')
    }
    const api = await context.api()
    const paths: string[] = []
    for (const id of ids) {
      const share = await shareOnServer(api, id)
      paths.push(share === null ? snippetPath(id) : `/api/shares/${share}`)
    }
    for (const [index, path] of paths.entries()) {
      await api.json('DELETE', path)
      await context.note(`Deleted ${ids[index]}.`)
    }
  },
}
