import type { ApiKey } from '../../sdk/generated/types.js'
import { type CommandSpec, choiceList, textOption } from '../command.js'
import { printList, timeColumn } from '../print-list.js'
import { secretFrom } from '../secret-from-stdin.js'
import type { Column } from '../table.js'
import { durationSeconds, expirySeconds } from '../upload.js'

const keyCreate: CommandSpec = {
  usage: 'key create <name>',
  summary: 'Create an API key; prints it once',
  options: {
    '--scope <scope>...': 'read, write or approve; repeat it for several (default: read and write)',
    '--expires <duration>': 'such as 30d, 52w or never (the default)',
  },
  examples: ['snipkeep key create CI --scope write --expires 52w'],
  async run(context, [name = ''], options) {
    const scopes = choiceList(options, 'scope', ['read', 'write', 'approve'])
    const expiresIn = expirySeconds(textOption(options, 'expires') ?? 'never')
    const key = await (await context.client()).keys.create({
      name,
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(expiresIn === null ? {} : { expires_in: expiresIn }),
    })
    await context.note(`Created ${key.id}. Store the key now: it is not shown again.`)
    await context.result(key, `${key.key}\n`)
  },
}

const keyColumns: readonly Column<ApiKey>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'KEY', cell: ({ prefix, last4 }) => `${prefix}…${last4}` },
  { head: 'SCOPES', cell: ({ scopes }) => scopes.join(','), narrow: 'leave' },
  timeColumn(
    'LAST USED',
    (key) => key.last_used_at,
    (at) => at.slice(0, 10),
    'unused',
  ),
  { head: 'NAME', cell: ({ name }) => name, narrow: 'cut' },
]

const keyList: CommandSpec = {
  usage: 'key list',
  summary: 'List your API keys',
  examples: ['snipkeep key list'],
  async run(context) {
    const rows = await (await context.client()).keys.list()
    await printList(context, { rows }, { columns: keyColumns, noun: 'API keys' })
  },
}

const keyRotate: CommandSpec = {
  usage: 'key rotate <id>',
  summary: 'Give an API key a new secret; prints it once',
  options: {
    '--overlap <duration>': 'how long the old secret keeps working, 0s to 7d (default: 1d)',
    '--now': 'begin the overlap now, not when the new secret is first used',
  },
  examples: ['snipkeep key rotate MgCTPCWfX4SCsrxLFQEuGz --overlap 3d'],
  async run(context, [id = ''], options) {
    const overlap = textOption(options, 'overlap')
    const key = await (await context.client()).keys.rotate(id, {
      ...(overlap === undefined ? {} : { overlap_seconds: durationSeconds(overlap) }),
      ...(options.now === true ? { begins: 'now' } : {}),
    })
    await context.note('Store the new secret now: it is not shown again. Then replace the old one.')
    await context.result(key, `${key.key}\n`)
  },
}

const keyFinish: CommandSpec = {
  usage: 'key finish <id>',
  summary: 'End the old secret of a rotated API key at once',
  examples: ['snipkeep key finish MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [id = '']) {
    await (await context.client()).keys.endPrevious(id)
    await context.note(`The old secret of ${id} has ended.`)
  },
}

const keyRevoke: CommandSpec = {
  usage: 'key revoke',
  summary: 'Revoke the API key on standard input, without signing in',
  examples: ['snipkeep key revoke < leaked-key.txt'],
  async run(context) {
    const secret = await secretFrom(context)
    await (await context.client('public')).keys.revoke(secret)
    await context.note('If this was a working key, it no longer is.')
  },
}

const keyRemove: CommandSpec = {
  usage: 'key rm <id...>',
  summary: 'Delete API keys; they stop working at once',
  examples: ['snipkeep key rm MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, ids) {
    const sk = await context.client()
    for (const id of ids) {
      await sk.keys.delete(id)
      await context.note(`Deleted ${id}.`)
    }
  },
}

export const commands: readonly CommandSpec[] = [
  keyCreate,
  keyList,
  keyRotate,
  keyFinish,
  keyRevoke,
  keyRemove,
]
