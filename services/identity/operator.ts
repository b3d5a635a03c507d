import { text } from 'node:stream/consumers'
import { type Environment, readVariables } from '#libs/config/read-variables.js'
import type { Announced } from '#libs/core/announced.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool } from '#libs/postgres/pool.js'
import { databaseOptions, postgresVariables } from '#libs/postgres/postgres-variables.js'
import { openAnnouncer } from '#libs/redis/open-announcer.js'
import { redisVariables } from '#libs/redis/redis-variables.js'
import { type CommandArguments, plainText, readArguments } from '#libs/runtime/read-arguments.js'
import { say, UsageError } from '#libs/runtime/run-command.js'
import { decidedAtTerminal } from '#shared/core/audit-entry.js'
import { callerInvalidationChannel } from '#shared/core/caller-invalidation.js'
import { postgresErasureStore } from './adapters/postgres-erasure-store.js'
import { postgresOperatorAccounts } from './adapters/postgres-operator-accounts.js'
import { type Decision, resumeAccount, suspendAccount } from './application/suspend-account.js'
import { erasureVariables } from './config.js'
import { type AccountId, type AccountRecord, accountId, accountNotFound } from './domain/account.js'
import { dataServices } from './domain/account-step.js'
import type { ErasedAccount, ErasureStore } from './erasure-ports.js'
import type { OperatorPorts } from './ports.js'

const usage = `Usage: node dist/services/identity/main.js COMMAND
  suspend ACCOUNT [--reason TEXT]       reject every token and API key of an account
  resume ACCOUNT                        accept them again
  show ACCOUNT|EMAIL|SUBJECT            show what is known about an account
  ledger                                print the ledger of erased accounts, for backups
  apply-ledger < FILE                   after a restore, erase again what the backup brings back,
                                        and give closing accounts their whole time again
  migrate | doctor                      schema; checks
With --json, each prints one line of JSON. Without a command, the process serves requests.`

const shownMax = 20

function fieldsOf({ account, identity, signedInAt, suspensionReason, apiKeys }: AccountRecord) {
  const { id, profile, plan, createdAt, suspendedAt } = account
  return {
    id,
    issuer: identity.issuer,
    subject: identity.subject,
    email: profile.email,
    email_verified: profile.emailVerified,
    name: profile.name,
    plan,
    api_keys: apiKeys,
    created_at: createdAt.toISOString(),
    signed_in_at: signedInAt.toISOString(),
    suspended_at: suspendedAt?.toISOString() ?? null,
    suspension_reason: suspensionReason,
  }
}

function describe(record: AccountRecord): string {
  return Object.entries(fieldsOf(record))
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(18)}${plainText(String(value ?? '-'))}`)
    .join('\n')
}

const noticed: Readonly<Record<Announced, string>> = {
  told: 'All gateways have been notified.',
  unreachable: 'Redis is unreachable; gateways notice within 5 seconds.',
  'no-redis': 'Without REDIS_URL gateways notice within 5 seconds.',
}

function tell({ record, announced }: Decision, json: boolean, sentences: readonly string[]): void {
  if (json) say(JSON.stringify({ ...fieldsOf(record), announced }))
  else say([describe(record), '', ...sentences, noticed[announced]].join('\n'))
}

function oneAccount({ words }: CommandArguments): AccountId {
  const [id, ...more] = words
  if (id === undefined || more.length > 0) throw new UsageError(`Name one account by its id.\n${usage}`)
  return accountId(id)
}

type Command = (ports: OperatorPorts, given: CommandArguments) => Promise<void>

const commands: Readonly<Record<string, Command>> = {
  async suspend(ports, given) {
    const id = oneAccount(given)
    tell(await suspendAccount(ports, id, decidedAtTerminal(given.value('reason') ?? '')), given.json, [
      'Its tokens and API keys now get 403 account_suspended, and its public shares get 404 within seconds. Its subscription continues.',
      `To delete its shares: node dist/services/content/main.js withdraw --owner ${id}`,
    ])
  },
  async resume(ports, given) {
    const id = oneAccount(given)
    tell(await resumeAccount(ports, id, decidedAtTerminal('')), given.json, [
      'Its tokens and API keys work again, and its public shares are back within seconds.',
    ])
  },
  async show(ports, given) {
    const [text, ...more] = given.words
    if (text === undefined || more.length > 0)
      throw new UsageError(`Name one account by its id, e-mail address or subject.\n${usage}`)
    const found = await ports.accounts.search(text, shownMax)
    if (found.length === 0) throw accountNotFound()
    say(given.json ? JSON.stringify({ accounts: found.map(fieldsOf) }) : found.map(describe).join('\n\n'))
  },
}

async function printLedger(erasures: ErasureStore): Promise<void> {
  let count = 0
  for await (const { digest, erasedAt } of erasures.ledger()) {
    say(`${digest} ${erasedAt.toISOString()}`)
    count += 1
  }
  say(`# ${count} accounts`)
}

/** @throws UsageError unless every line is a digest and a time, and the last one counts the others. */
export function parseLedger(text: string): readonly ErasedAccount[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const [, count] = /^# (\d+) accounts$/.exec(lines.pop()?.trim() ?? '') ?? []
  const rest = 'Nothing was applied. Use the newest complete one.'
  if (count === undefined)
    throw new UsageError(`The ledger is incomplete: its last line is not "# N accounts". ${rest}`)
  const erased = lines.map((line, index) => {
    const [digest = '', time = '', ...more] = line.trim().split(/\s+/)
    const erasedAt = new Date(time)
    if (!/^[0-9a-f]{64}$/.test(digest) || Number.isNaN(erasedAt.getTime()) || more.length > 0)
      throw new UsageError(`Line ${index + 1} is not a digest and a time, as "ledger" prints them.\n${usage}`)
    return { digest, erasedAt }
  })
  if (erased.length !== Number(count))
    throw new UsageError(
      `The ledger is incomplete: it has ${erased.length} accounts, and its last line says ${count}. ${rest}`,
    )
  return erased
}

async function applyLedger(
  erasures: ErasureStore,
  { callers }: Pick<OperatorPorts, 'callers'>,
  days: number,
): Promise<void> {
  const lines = parseLedger(await text(process.stdin))
  const { erasing, renewed } = await erasures.applyLedger(lines, days)
  for (const id of erasing) await callers.announce(id)
  const rest = 'The services erase them as soon as they run; until then gateways are not ready.'
  say(
    `${lines.length} lines, ${erasing.length} accounts to erase again. ${erasing.length === 0 ? '' : rest}`.trim(),
  )
  say(`${renewed} closing accounts have ${days} days again.`)
}

/**
 * Runs an operator command with only the database and Redis, whatever else is configured.
 * @throws UsageError for invalid arguments, DomainError `not_found`.
 */
export async function operate(env: Environment, args: readonly string[]): Promise<void> {
  const [name = '', ...rest] = args
  if (name === 'help' || name === '--help') return say(usage)
  const ofLedger = name === 'ledger' || name === 'apply-ledger'
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined && !ofLedger)
    throw new UsageError(`There is no command "${plainText(name)}".\n${usage}`)
  const given = readArguments(rest, name === 'suspend' ? ['reason'] : [], usage)
  const values = readVariables(
    { ...postgresVariables('snipkeep_identity'), ...redisVariables, ...erasureVariables },
    env,
  )
  const pool = createPool(
    { ...databaseOptions(values, 'identity'), connectionsMax: 1 },
    createLogger('identity', 'silent'),
  )
  const announcer = await openAnnouncer(values.REDIS_URL)
  const callers = { announce: (id: AccountId) => announcer.announce(callerInvalidationChannel, id) }
  try {
    const erasures = postgresErasureStore(pool, dataServices)
    if (name === 'ledger') await printLedger(erasures)
    else if (name === 'apply-ledger') await applyLedger(erasures, { callers }, values.ACCOUNT_ERASURE_DAYS)
    else await command?.({ accounts: postgresOperatorAccounts(pool), callers }, given)
  } finally {
    announcer.close()
    await pool.end()
  }
}
