import type { TrustedPublisher, TrustedPublisherEvents } from '../../sdk/generated/types.js'
import { type CommandSpec, choiceList, listOption, shown, textOption } from '../command.js'
import { confirm, yesOption } from '../confirm.js'
import { CliError, usageError } from '../exit-codes.js'
import { printList, timeColumn } from '../print-list.js'
import type { Column } from '../table.js'
import { durationSeconds } from '../upload.js'

type Claims = Record<string, string>

function claimsIn(texts: readonly string[]): Claims {
  return Object.fromEntries(
    texts.map((text) => {
      const split = text.indexOf('=')
      if (split < 1) throw usageError(`Write a claim as name=value, not ${text}.`)
      return [text.slice(0, split), text.slice(split + 1)]
    }),
  )
}

/** Claims as name=value, only these if there are `names`. */
function described(claims: Claims, names?: readonly string[]): string {
  const all = Object.entries(claims)
  const wanted = names === undefined ? all : all.filter(([name]) => names.includes(name))
  return wanted.map(([name, value]) => `${name}=${value}`).join(' ')
}

const trustAdd: CommandSpec = {
  usage: 'trust add [repository]',
  summary: 'Let CI jobs of a repository call without a key; prints the id of the rule',
  options: {
    '--issuer <name>': 'github (the default), gitlab, or one of your server',
    '--name <name>': 'what you call it (default: the repository)',
    '--claim <name=value>...': 'what a token must say, exactly; repeat it',
    '--event <event>...': 'what may start a job, such as push; repeat it',
    '--scope <scope>...': 'read or write; repeat it for both (default: both)',
    '--ttl <duration>': 'how long tokens live, 1m to 1h (default: 15m)',
  },
  examples: [
    'snipkeep trust add acme/website --event push --claim ref=refs/heads/main',
    'snipkeep trust add acme/website --issuer gitlab --claim project_id=20 --claim namespace_id=72',
  ],
  async run(context, [repository], options) {
    const issuer = textOption(options, 'issuer') ?? 'github'
    const ttl = textOption(options, 'ttl')
    const scopes = choiceList(options, 'scope', ['read', 'write'])
    const sk = await context.client()
    const rule = await sk.trustedPublishers.create({
      name: textOption(options, 'name') ?? repository ?? issuer,
      issuer,
      ...(repository === undefined ? {} : { repository }),
      claims: claimsIn(listOption(options, 'claim')),
      events: listOption(options, 'event'),
      ...(scopes.length === 0 ? {} : { scopes }),
      ...(ttl === undefined ? {} : { ttl: durationSeconds(ttl) }),
    })
    await context.note(
      rule.pinned
        ? `Jobs can use it now: set SNIPKEEP_TRUST=${rule.id}`
        : `It accepts nothing yet. Set SNIPKEEP_TRUST=${rule.id}, run the job once, then: snipkeep trust pin ${rule.id}`,
    )
    await context.result(rule, `${rule.id}\n`)
  },
}

function stateOf({ disabled_at, pinned }: TrustedPublisher): string {
  if (disabled_at !== null) return 'disabled'
  return pinned ? 'on' : 'not pinned'
}

const ruleColumns: readonly Column<TrustedPublisher>[] = [
  { head: 'ID', cell: ({ id }) => id },
  { head: 'ISSUER', cell: ({ issuer }) => issuer, narrow: 'cut' },
  { head: 'STATE', cell: stateOf, style: (rule) => (stateOf(rule) === 'on' ? 'green' : 'yellow') },
  timeColumn(
    'LAST USED',
    (rule) => rule.last_used_at,
    (at) => at.slice(0, 10),
    'unused',
  ),
  { head: 'REPOSITORY', cell: ({ repository, name }) => repository ?? name, narrow: 'cut' },
]

const trustList: CommandSpec = {
  usage: 'trust list',
  summary: 'List the rules by which CI jobs call for you',
  examples: ['snipkeep trust list'],
  async run(context) {
    const sk = await context.client()
    const { trusted_publishers: rules } = await sk.trustedPublishers.list()
    await printList(context, { rows: rules }, { columns: ruleColumns, noun: 'trusted publishers' })
  },
}

const shownClaims = ['repository', 'project_path', 'ref', 'event_name', 'pipeline_source', 'run_id', 'job_id']

const eventColumns: readonly Column<TrustedPublisherEvents['events'][number]>[] = [
  timeColumn(
    'WHEN',
    ({ at }) => at,
    (at) => at.slice(0, 19),
  ),
  {
    head: 'RESULT',
    cell: ({ reason, claim }) => (reason === null ? 'issued' : `${reason} ${claim ?? ''}`.trim()),
    style: ({ reason }) => (reason === null ? 'green' : 'yellow'),
  },
  { head: 'CLAIMS', cell: ({ claims }) => described(claims, shownClaims), narrow: 'cut' },
]

const trustEvents: CommandSpec = {
  usage: 'trust events <id>',
  summary: 'Show who asked for a token by a rule, and why it was refused',
  examples: ['snipkeep trust events tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [id = '']) {
    const events = await (await context.client()).trustedPublishers.events(id)
    await printList(context, { rows: events }, { columns: eventColumns, noun: 'events' })
  },
}

const trustPin: CommandSpec = {
  usage: 'trust pin <id>',
  summary: 'Trust the repository of the last refused attempt, by its ids',
  options: { ...yesOption },
  examples: ['snipkeep trust pin tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, [id = ''], options) {
    const { trustedPublishers } = await context.client()
    const event = (await trustedPublishers.events(id)).find(({ pin }) => pin !== null)
    const pin = event?.pin
    if (event === undefined || !pin)
      throw new CliError('No refused attempt has ids to pin. Run the job once, then try again.')
    const rule = await trustedPublishers.get(id)
    await context.note(`The attempt of ${event.at} came from: ${described(event.claims)}`)
    await confirm(context, options, `Trust ${described(pin)} as ${shown(rule.repository)}?`)
    const changed = await trustedPublishers.update(id, { claims: { ...rule.claims, ...pin } })
    await context.note(`Pinned ${described(pin)}.`)
    await context.result(changed, '')
  },
}

const trustRemove: CommandSpec = {
  usage: 'trust rm <id...>',
  summary: 'Delete rules; tokens of their jobs stop working at once',
  examples: ['snipkeep trust rm tp_MgCTPCWfX4SCsrxLFQEuGz'],
  async run(context, ids) {
    const { trustedPublishers } = await context.client()
    for (const id of ids) {
      await trustedPublishers.delete(id)
      await context.note(`Deleted ${id}.`)
    }
  },
}

export const commands: readonly CommandSpec[] = [trustAdd, trustList, trustEvents, trustPin, trustRemove]
