import type { OperatedAccount, OperatorAct, QueueList, Report } from '../../sdk/generated/types.js'
import { type CommandOptions, type CommandSpec, choice, limitIn, shown, textOption } from '../command.js'
import { pageOf, printList, timeColumn } from '../print-list.js'
import { shareIdIn } from '../share-on-server.js'
import { type Column, table } from '../table.js'

const limitOption: CommandOptions = { '--limit <count>': 'how many, 100 at most (default: 20)' }

function day(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}

/** Fields, one a line. */
export function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return table(Object.entries(fields).map(([name, value]) => [name, shown(value) || '-']))
}

const reportColumns: readonly Column<Report>[] = [
  { head: 'REPORT', cell: ({ id }) => id },
  timeColumn('CREATED', ({ created_at }) => created_at, day),
  { head: 'REASON', cell: ({ reason }) => reason, style: () => 'yellow' },
  { head: 'TIMES', cell: ({ times }) => `${times}×`, align: 'right', narrow: 'leave' },
  { head: 'SHARE', cell: ({ share: reported }) => reported.id },
  { head: 'STATE', cell: ({ share: reported }) => reported.state, narrow: 'leave' },
  { head: 'NOTE', cell: ({ note, message }) => note ?? message, narrow: 'cut' },
]

export const reports: CommandSpec = {
  usage: 'operator reports',
  summary: 'List reports of shares',
  options: {
    '--state <state>': 'open (the default), resolved or all',
    '--share <share>': 'only reports of this share',
    ...limitOption,
  },
  examples: [
    'snipkeep operator reports',
    'snipkeep operator reports --state all --share MgCTPCWfX4SCsrxLFQEuGz',
  ],
  async run(context, _args, options) {
    const share = textOption(options, 'share')
    const filter = { state: choice(options, 'state', ['open', 'resolved', 'all']), limit: limitIn(options) }
    const sk = await context.client()
    const id = share === undefined ? undefined : await shareIdIn(sk, share)
    const found = await pageOf(sk.operator.reports({ ...filter, share: id }))
    await printList(context, found, { columns: reportColumns, noun: 'reports' })
  },
}

const actColumns: readonly Column<OperatorAct>[] = [
  timeColumn('WHEN', ({ created_at }) => created_at, day),
  { head: 'ACTION', cell: ({ action }) => action },
  { head: 'SUBJECT', cell: ({ subject }) => subject.id },
  { head: 'BY', cell: ({ operator }) => operator.name || operator.id, narrow: 'cut' },
  { head: 'REASON', cell: ({ reason }) => reason, narrow: 'cut' },
]

export const acts: CommandSpec = {
  usage: 'operator acts',
  summary: 'List the audit log: what operators did, when and why',
  options: { '--account <id>': 'only entries about this account', ...limitOption },
  examples: ['snipkeep operator acts', 'snipkeep operator acts --json=created_at,action,reason'],
  async run(context, _args, options) {
    const filter = { account: textOption(options, 'account'), limit: limitIn(options) }
    const found = await pageOf((await context.client()).operator.acts(filter))
    await printList(context, found, { columns: actColumns, noun: 'entries' })
  },
}

const queueColumns: readonly Column<QueueList['queues'][number]>[] = [
  { head: 'QUEUE', cell: ({ service, name }) => `${service}/${name}` },
  {
    head: 'WAITING',
    cell: ({ waiting }) => `${waiting} waiting`,
    words: ({ waiting }) => waiting.toLocaleString('en'),
    align: 'right',
  },
  {
    head: 'FAILING',
    cell: ({ failing }) => `${failing} failing`,
    words: ({ failing }) => failing.toLocaleString('en'),
    style: ({ failing }) => (failing > 0 ? 'red' : null),
    align: 'right',
  },
  timeColumn(
    'OLDEST',
    ({ oldest_at }) => oldest_at,
    (at) => (at === '' ? '' : `since ${day(at)}`),
  ),
]

export const queues: CommandSpec = {
  usage: 'operator queues',
  summary: 'Show what waits in queues, and the state of payments',
  examples: ['snipkeep operator queues'],
  async run(context) {
    const found = await (await context.client()).operator.queues()
    for (const service of found.unavailable) await context.note(`${service} does not respond.`)
    await printList(context, { rows: found.queues }, { columns: queueColumns, noun: 'queues', value: found })
    if (found.payments !== null && context.options.json !== true)
      await context.result(found, fieldLines(found.payments))
  },
}

const closingColumns: readonly Column<OperatedAccount>[] = [
  { head: 'ACCOUNT', cell: ({ id }) => id },
  { head: 'WHO', cell: ({ email, subject }) => email ?? subject, narrow: 'cut' },
  timeColumn(
    'ERASED',
    ({ erased_after }) => erased_after,
    (at) => at,
  ),
]

export const closing: CommandSpec = {
  usage: 'operator closing',
  summary: 'List accounts that their owners closed, the next to be erased first',
  examples: ['snipkeep operator closing'],
  async run(context) {
    const accounts = await (await context.client()).operator.closingAccounts()
    const list = { columns: closingColumns, noun: 'closed accounts', value: { accounts } }
    await printList(context, { rows: accounts }, list)
  },
}
