import { type CommandSpec, listOption, shown, textOption } from '../command.js'
import { printable } from '../terminal.js'
import { durationSeconds, table } from '../upload.js'

export const keyCreate: CommandSpec = {
  usage: 'key create <name>',
  summary: 'Create an API key; prints it once',
  options: [
    {
      flags: '--scope <scope>',
      description: 'read or write; repeat it for both (default: both)',
      isList: true,
    },
    { flags: '--expires <duration>', description: 'such as 30d or 52w (default: never)' },
  ],
  examples: ['snipkeep key create CI --scope write --expires 52w'],
  async run(context, [name], options) {
    const scopes = listOption(options, 'scope')
    const expires = textOption(options, 'expires')
    const body = JSON.stringify({
      name,
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(expires === undefined ? {} : { expires_in: durationSeconds(expires) }),
    })
    const api = await context.api()
    const key = await api.json('POST', '/api/keys', { body, headers: { 'Content-Type': 'application/json' } })
    await context.note(`Created ${shown(key.id)}. Store the key now: it is not shown again.`)
    await context.result(key, `${shown(key.key)}\n`)
  },
}

export const keyList: CommandSpec = {
  usage: 'key list',
  summary: 'List your API keys',
  examples: ['snipkeep key list'],
  async run(context) {
    const { keys } = await (await context.api()).json('GET', '/api/keys')
    const items: readonly Record<string, unknown>[] = Array.isArray(keys) ? keys : []
    const rows = items.map((key) => [
      key.id,
      `${shown(key.prefix)}…${shown(key.last4)}`,
      Array.isArray(key.scopes) ? key.scopes.join(',') : '',
      shown(key.last_used_at).slice(0, 10) || 'unused',
      printable(shown(key.name)),
    ])
    await context.result(items, table(rows))
  },
}

export const keyRemove: CommandSpec = {
  usage: 'key rm <id...>',
  summary: 'Delete API keys; they stop working at once',
  examples: ['snipkeep key rm MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, ids) {
    const api = await context.api()
    for (const id of ids) {
      await api.json('DELETE', `/api/keys/${encodeURIComponent(id)}`)
      await context.note(`Deleted ${id}.`)
    }
  },
}
