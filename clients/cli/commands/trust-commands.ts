import { type CommandSpec, listOption, shown, textOption } from '../command.js'
import { confirm, yesOption } from '../confirm.js'
import type { Context } from '../context.js'
import { CliError, exitCodes } from '../exit-codes.js'
import { durationSeconds, table } from '../upload.js'

type Fields = Readonly<Record<string, unknown>>

const json = { 'Content-Type': 'application/json' }
const all = '/api/trusted-publishers'

function pathOf(id: string): string {
  return `${all}/${encodeURIComponent(id)}`
}

function items(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value : []
}

function claimsIn(texts: readonly string[]): Fields {
  return Object.fromEntries(
    texts.map((text) => {
      const split = text.indexOf('=')
      if (split < 1) throw new CliError(`Write a claim as name=value, not ${text}.`, exitCodes.usage)
      return [text.slice(0, split), text.slice(split + 1)]
    }),
  )
}

/** Claims as name=value, only these if there are `names`. */
function described(claims: unknown, names?: readonly string[]): string {
  const all = Object.entries(Object(claims) as Fields)
  const wanted = names === undefined ? all : all.filter(([name]) => names.includes(name))
  return wanted.map(([name, value]) => `${name}=${shown(value)}`).join(' ')
}

export const trustAdd: CommandSpec = {
  usage: 'trust add [repository]',
  summary: 'Let CI jobs of a repository call without a key; prints the id of the rule',
  options: [
    { flags: '--issuer <name>', description: 'github (the default), gitlab, or one of your server' },
    { flags: '--name <name>', description: 'what you call it (default: the repository)' },
    { flags: '--claim <name=value>', description: 'what a token must say, exactly; repeat it', isList: true },
    { flags: '--event <event>', description: 'what may start a job, such as push; repeat it', isList: true },
    {
      flags: '--scope <scope>',
      description: 'read or write; repeat it for both (default: both)',
      isList: true,
    },
    { flags: '--ttl <duration>', description: 'how long tokens live, 1m to 1h (default: 15m)' },
  ],
  examples: [
    'snipkeep trust add acme/website --event push --claim ref=refs/heads/main',
    'snipkeep trust add acme/website --issuer gitlab --claim project_id=20 --claim namespace_id=72',
  ],
  async run(context, [repository], options) {
    const issuer = textOption(options, 'issuer') ?? 'github'
    const ttl = textOption(options, 'ttl')
    const scopes = listOption(options, 'scope')
    const body = JSON.stringify({
      name: textOption(options, 'name') ?? repository ?? issuer,
      issuer,
      ...(repository === undefined ? {} : { repository }),
      claims: claimsIn(listOption(options, 'claim')),
      events: listOption(options, 'event'),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(ttl === undefined ? {} : { ttl: durationSeconds(ttl) }),
    })
    const rule = await (await context.api()).json('POST', all, { body, headers: json })
    await context.note(
      rule.pinned === true
        ? `Jobs can use it now: set SNIPKEEP_TRUST=${shown(rule.id)}`
        : `It accepts nothing yet. Set SNIPKEEP_TRUST=${shown(rule.id)}, run the job once, then: snipkeep trust pin ${shown(rule.id)}`,
    )
    await context.result(rule, `${shown(rule.id)}\n`)
  },
}

export const trustList: CommandSpec = {
  usage: 'trust list',
  summary: 'List the rules by which CI jobs call for you',
  examples: ['snipkeep trust list'],
  async run(context) {
    const rules = items((await (await context.api()).json('GET', all)).trusted_publishers)
    const rows = rules.map((rule) => [
      rule.id,
      rule.issuer,
      rule.disabled_at === null ? (rule.pinned === true ? 'on' : 'not pinned') : 'disabled',
      shown(rule.last_used_at).slice(0, 10) || 'unused',
      shown(rule.repository ?? rule.name),
    ])
    await context.result(rules, table(rows))
  },
}

async function eventsOf(context: Context, id: string): Promise<readonly Fields[]> {
  return items((await (await context.api()).json('GET', `${pathOf(id)}/events`)).events)
}

export const trustEvents: CommandSpec = {
  usage: 'trust events <id>',
  summary: 'Show who asked for a token by a rule, and why it was refused',
  examples: ['snipkeep trust events tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [id = '']) {
    const events = await eventsOf(context, id)
    const names = ['repository', 'project_path', 'ref', 'event_name', 'pipeline_source', 'run_id', 'job_id']
    const rows = events.map((event) => [
      shown(event.at).slice(0, 19),
      event.reason === null ? 'issued' : `${shown(event.reason)} ${shown(event.claim ?? '')}`.trim(),
      described(event.claims, names),
    ])
    await context.result(events, table(rows))
  },
}

export const trustPin: CommandSpec = {
  usage: 'trust pin <id>',
  summary: 'Trust the repository of the last refused attempt, by its ids',
  options: [yesOption],
  examples: ['snipkeep trust pin tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [id = ''], options) {
    const event = (await eventsOf(context, id)).find(({ pin }) => pin !== null)
    if (event === undefined)
      throw new CliError('No refused attempt has ids to pin. Run the job once, then try again.')
    const api = await context.api()
    const rule = await api.json('GET', pathOf(id))
    await context.note(`The attempt of ${shown(event.at)} came from: ${described(event.claims)}`)
    await confirm(context, options, `Trust ${described(event.pin)} as ${shown(rule.repository)}?`)
    const claims = { ...(Object(rule.claims) as Fields), ...(Object(event.pin) as Fields) }
    const changed = await api.json('PATCH', pathOf(id), { body: JSON.stringify({ claims }), headers: json })
    await context.note(`Pinned ${described(event.pin)}.`)
    await context.result(changed, '')
  },
}

export const trustRemove: CommandSpec = {
  usage: 'trust rm <id...>',
  summary: 'Delete rules; tokens of their jobs stop working at once',
  examples: ['snipkeep trust rm tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, ids) {
    const api = await context.api()
    for (const id of ids) {
      await api.json('DELETE', pathOf(id))
      await context.note(`Deleted ${id}.`)
    }
  },
}
