import { readableSize } from '#libs/core/readable-text.js'
import type { ListedShare, ListedSnippet, RevisionSummary, SnippetPut } from '../../sdk/generated/types.js'
import type { RawData, RawOptions } from '../../sdk/raw-data.js'
import { lastWord, versionOf } from '../../sdk/references.js'
import type { Snipkeep } from '../../sdk/snipkeep.js'
import type { Snippets } from '../../sdk/snippets.js'
import { type CommandSpec, limitIn, listOption, pageLimit, textOption } from '../command.js'
import { yesOption } from '../confirm.js'
import { openText } from '../content-source.js'
import type { Context } from '../context.js'
import { CliError, usageError } from '../exit-codes.js'
import { savedAlready } from '../saved-content.js'
import { passwordFrom } from '../secret-from-stdin.js'
import { shareOnServer } from '../share-on-server.js'
import { ask } from '../terminal.js'
import { encodingOption, holding, received, shareIn, table, textOptions, toolOf, upload } from '../upload.js'
import { contentOptions, writeContent } from '../write-content.js'

/** Only ids of gated shares are so long. */
const gatedIdLength = 24

/** The grant that opens a gated share, after using up one of its views; none for other shares. */
async function revealed(
  context: Context,
  sk: Snipkeep,
  id: string,
  withPassword: boolean,
): Promise<string | undefined> {
  if (id.length !== gatedIdLength) return undefined
  const password = withPassword ? await passwordFrom(context) : undefined
  const { grant, views_left: left } = await sk.shares.reveal(id, password)
  if (typeof left === 'number')
    await context.note(left === 0 ? 'This was its last view.' : `It can be opened ${left} more times.`)
  return grant
}

/** Saves a file as a private snippet. */
export const save: CommandSpec = {
  usage: 'save [file]',
  summary: 'Save a file or standard input as a snippet; prints its id',
  options: {
    ...textOptions,
    '--data': 'the file is a JSON object, to be stored as data itself',
    ...encodingOption,
    '--tag <tag>...': 'a tag; repeat it for several',
    '--name <name>': 'create or replace your snippet of this name',
    '--if-changed':
      'with --name: read what is saved first, and send nothing if content, tool, title and tags are the same',
  },
  examples: [
    'snipkeep save team.csv',
    'report | snipkeep save -t csv --name nightly-report',
    'snipkeep save team.csv --name team --if-changed',
  ],
  async run(context, [file], options) {
    const name = textOption(options, 'name')?.replace(/^@/, '')
    if (options.ifChanged === true && name === undefined)
      throw usageError('--if-changed needs --name: it compares with what has this name.')
    const source = await openText(file, context.terminal, textOption(options, 'encoding'))
    try {
      const tool = textOption(options, 'tool') ?? toolOf(source.name)
      const title = textOption(options, 'title') ?? source.name ?? undefined
      const tags = listOption(options, 'tag')
      const key = textOption(options, 'key')
      const isData = options.data === true
      const reference = `@${name}`
      if (options.ifChanged === true) {
        const wanted = { tool, title, tags, key: isData ? null : (key ?? lastWord(tool)), source }
        const same = await savedAlready(await context.client(), reference, wanted)
        if (same !== null) {
          await context.note(`Unchanged: "${same.title}".`)
          return await context.result({ ...same, changed: false }, `${same.id}\n`)
        }
      }
      const snippet = { tool, title, tags, ...holding(source, isData, key) }
      const saved = await upload(context, source, ({ snippets }, call) =>
        name === undefined ? snippets.create(snippet, call) : putSnippet(snippets, reference, snippet, call),
      )
      await context.note(`Saved "${saved.title}" (${readableSize(saved.size_bytes)}).`)
      const result = options.ifChanged === true ? { ...saved, changed: true } : saved
      await context.result(result, `${saved.id}\n`)
    } finally {
      await source.close()
    }
  },
}

/** What a put says of the snippet: it prints as a create does. */
async function putSnippet(
  snippets: Snippets,
  ...put: Parameters<Snippets['put']>
): Promise<Omit<SnippetPut, 'created'>> {
  const { created: _created, ...saved } = await snippets.put(...put)
  return saved
}

/** Opens what an argument of `get` names. */
async function openRaw(
  context: Context,
  reference: string,
  part: RawOptions,
  withPassword: boolean,
): Promise<RawData> {
  const share = shareIn(reference)
  if (share !== null) {
    const sk = await context.client('public', share.server)
    const grant = await revealed(context, sk, share.id, withPassword)
    return sk.shares.raw(share.id, { ...part, grant })
  }
  const { snippets } = await context.client()
  const wanted = versionOf(reference)
  return wanted === null
    ? snippets.raw(reference, part)
    : snippets.revisionRaw(wanted.id, wanted.version, part)
}

/** Writes the bytes of a snippet, of one of its versions, or of a share. */
export const get: CommandSpec = {
  usage: 'get <id>',
  summary:
    'Write the bytes of a snippet (id or @name; @name@3 for a version) or of a share (URL) to standard output',
  options: {
    '-p, --pointer <pointer>': 'only this value, by its JSON Pointer; strings come decoded',
    '-r, --rows <range>': 'with --pointer: only these rows of an array or of CSV, counted from 1',
    ...contentOptions,
    '--password-stdin': 'the password of the share is on standard input; opening it uses up a view',
  },
  examples: [
    'snipkeep get @nightly-report -p /csv',
    'snipkeep get @nightly-report -p /csv --rows 1-100',
    'snipkeep get @nightly-report@3 -o before.json',
    'snipkeep get https://snipkeep.example/s/rZAApimavIe4RHcY1CnKxr -o team.json',
  ],
  takesSnippets: true,
  async run(context, [id = ''], options) {
    const part = { pointer: textOption(options, 'pointer'), rows: textOption(options, 'rows') }
    const raw = await openRaw(context, id, part, options.passwordStdin === true)
    await writeContent(context.terminal, received(context, raw), options)
  },
}

const listOptions = {
  '-t, --tool <tool>': 'only of this tool',
  '--tag <tag>...': 'only with this tag; repeat it for several',
  '-q, --query <words>': 'only with these words in title or tags',
  '-L, --limit <count>': 'how many at most (default: 20)',
  '--shares': 'your shares instead of your snippets',
}

/** Lists snippets or shares. */
export const list: CommandSpec = {
  usage: 'list',
  summary: 'List your snippets or shares, newest first',
  options: listOptions,
  examples: ['snipkeep list -t csv --tag nightly', 'snipkeep list --json=id,title'],
  async run(context, _args, options) {
    const limit = limitIn(options)
    const page = { tool: textOption(options, 'tool'), limit: pageLimit(limit) }
    const sk = await context.client()
    const rest = ({ tool, size_bytes, created_at, title }: ListedShare | ListedSnippet) => [
      tool,
      readableSize(size_bytes),
      created_at.slice(0, 10),
      title,
    ]
    if (options.shares === true) {
      const shares = await sk.shares.list(page).first(limit)
      return context.result(shares, table(shares.map((one) => [one.share_url, ...rest(one)])))
    }
    const filter = { tag: listOption(options, 'tag'), q: textOption(options, 'query'), include_data: false }
    const snippets = await sk.snippets.list({ ...page, ...filter }).first(limit)
    const rows = snippets.map((one) => [one.id, one.name === undefined ? '' : `@${one.name}`, ...rest(one)])
    await context.result(snippets, table(rows))
  },
}

/** Deletes snippets and shares. */
export const remove: CommandSpec = {
  usage: 'rm <id...>',
  summary: 'Delete snippets (id or @name) and shares (URL)',
  options: { ...yesOption },
  examples: ['snipkeep rm @nightly-report --yes'],
  takesSnippets: true,
  async run(context, ids, options) {
    const { terminal } = context
    if (options.yes !== true) {
      if (terminal.stdin.isTTY !== true) throw usageError('To delete without a terminal, add --yes.')
      const reply = await ask(terminal, `Delete ${ids.join(', ')}? This cannot be undone. [y/N] `)
      if (!/^y(es)?$/i.test(reply)) throw new CliError('Nothing was deleted.')
    }
    const sk = await context.client()
    const shares = new Map<string, string | null>()
    for (const id of ids) shares.set(id, await shareOnServer(sk, id))
    for (const [id, share] of shares) {
      await (share === null ? sk.snippets.delete(id) : sk.shares.delete(share))
      await context.note(`Deleted ${id}.`)
    }
  },
}

/** Who made a version. */
function makerOf(principal: RevisionSummary['principal']): string {
  return principal === null ? '' : [principal.kind, principal.label ?? ''].join(' ').trim()
}

/** Lists the versions of a snippet. */
export const revisions: CommandSpec = {
  usage: 'revisions <id>',
  summary: 'List the versions of a snippet (id or @name), newest first',
  options: { '-L, --limit <count>': 'how many at most (default: 20)' },
  examples: [
    'snipkeep revisions @nightly-report',
    'snipkeep revisions @nightly-report --json=version,principal',
  ],
  takesSnippets: true,
  async run(context, [id = ''], options) {
    const limit = limitIn(options)
    const sk = await context.client()
    const found = await sk.snippets.revisions(id, { limit: pageLimit(limit) }).first(limit)
    const rows = found.map((one) => [
      one.version,
      one.current ? 'current' : '',
      one.created_at,
      readableSize(one.size_bytes),
      makerOf(one.principal),
      one.title,
    ])
    await context.result(found, table(rows))
  },
}

/** Restores a version of a snippet. */
export const restore: CommandSpec = {
  usage: 'restore <version>',
  summary: 'Restore a version of a snippet (id@3 or @name@3) as a new one; prints the id of the snippet',
  examples: ['snipkeep restore @nightly-report@3'],
  takesSnippets: true,
  async run(context, [reference = '']) {
    const wanted = versionOf(reference)
    if (wanted === null) {
      const example = 'Name the version, such as @nightly-report@3; "snipkeep revisions" lists them.'
      throw usageError(example)
    }
    const sk = await context.client()
    const { etag: _etag, ...restored } = await sk.snippets.restore(wanted.id, wanted.version)
    await context.note(`Restored version ${wanted.version}: "${restored.title}".`)
    await context.result(restored, `${restored.id}\n`)
  },
}
