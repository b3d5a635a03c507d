import type { ListedShare, ListedSnippet, RevisionSummary } from '../../sdk/generated/types.js'
import { versionOf } from '../../sdk/references.js'
import { type CommandSpec, limitIn, listOption, textOption } from '../command.js'
import { yesOption } from '../confirm.js'
import { CliError, usageError } from '../exit-codes.js'
import { beginningOf, printList, sizeColumn, timeColumn } from '../print-list.js'
import { shareOnServer } from '../share-on-server.js'
import type { Column } from '../table.js'
import { ask } from '../terminal.js'

const listOptions = {
  '-t, --tool <tool>': 'only of this tool',
  '--tag <tag>...': 'only with this tag; repeat it for several',
  '-q, --query <words>': 'only with these words in title or tags',
  '-L, --limit <count>': 'how many at most (default: 20)',
  '--shares': 'your shares instead of your snippets',
}

/** What snippets and shares have in common. */
const savedColumns: readonly Column<ListedShare | ListedSnippet>[] = [
  { head: 'TOOL', cell: ({ tool }) => tool, narrow: 'leave' },
  sizeColumn(({ size_bytes }) => size_bytes),
  timeColumn(
    'CREATED',
    ({ created_at }) => created_at,
    (at) => at.slice(0, 10),
  ),
  { head: 'TITLE', cell: ({ title }) => title, narrow: 'cut' },
]

const shareColumns: readonly Column<ListedShare>[] = [
  { head: 'URL', cell: ({ share_url }) => share_url },
  ...savedColumns,
]

const snippetColumns: readonly Column<ListedSnippet>[] = [
  { head: 'ID', cell: ({ id }) => id },
  {
    head: 'NAME',
    cell: ({ name }) => (name === undefined ? '' : `@${name}`),
    style: () => 'green',
    narrow: 'cut',
  },
  ...savedColumns,
]

/** Lists snippets or shares. */
const list: CommandSpec = {
  usage: 'list',
  summary: 'List your snippets or shares, newest first',
  options: listOptions,
  examples: ['snipkeep list -t csv --tag nightly', 'snipkeep list --json=id,title'],
  async run(context, _args, options) {
    const limit = limitIn(options)
    const tool = textOption(options, 'tool')
    const sk = await context.client()
    if (options.shares === true) {
      const shares = await beginningOf(context, limit, (page) => sk.shares.list({ ...page, tool }))
      return printList(context, shares, { columns: shareColumns, noun: 'shares' })
    }
    const [tag, q] = [listOption(options, 'tag'), textOption(options, 'query')]
    const snippets = await beginningOf(context, limit, (page) =>
      sk.snippets.list({ ...page, tool, tag, q, include_data: false }),
    )
    const isAll = tool === undefined && q === undefined && tag.length === 0
    const total = async () => (await sk.account.profile()).usage.snippets
    await printList(context, snippets, {
      columns: snippetColumns,
      noun: 'snippets',
      ...(isAll ? { total } : {}),
    })
  },
}

/** Deletes snippets and shares. */
const remove: CommandSpec = {
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

function revisionColumns(rows: readonly RevisionSummary[]): readonly Column<RevisionSummary>[] {
  return [
    { head: 'VERSION', cell: ({ version }) => version, align: 'right' },
    { head: '', cell: ({ current }) => (current ? 'current' : ''), style: () => 'green' },
    timeColumn(
      'CREATED',
      ({ created_at }) => created_at,
      (at) => at,
    ),
    sizeColumn(({ size_bytes }) => size_bytes),
    { head: 'BY', cell: ({ principal }) => makerOf(principal), narrow: 'cut' },
    {
      head: 'TITLE',
      cell: ({ title }) => title,
      narrow: 'cut',
      isHidden: rows.every(({ title }) => title === rows[0]?.title),
    },
  ]
}

/** Lists the versions of a snippet. */
const revisions: CommandSpec = {
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
    const found = await beginningOf(context, limit, (page) => sk.snippets.revisions(id, page))
    await printList(context, found, { columns: revisionColumns(found.rows), noun: 'versions' })
  },
}

/** Restores a version of a snippet. */
const restore: CommandSpec = {
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

export const commands: readonly CommandSpec[] = [list, revisions, restore, remove]
