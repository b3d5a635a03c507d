import { type Environment, readVariables } from '#libs/config/read-variables.js'
import type { Announced } from '#libs/core/announced.js'
import { createLogger } from '#libs/log/logger.js'
import { createPool } from '#libs/postgres/pool.js'
import { databaseOptions, postgresVariables } from '#libs/postgres/postgres-variables.js'
import { openAnnouncer } from '#libs/redis/open-announcer.js'
import { redisVariables } from '#libs/redis/redis-variables.js'
import { type CommandArguments, plainText, readArguments } from '#libs/runtime/read-arguments.js'
import { say, UsageError } from '#libs/runtime/run-command.js'
import { shareInvalidationChannel } from '#shared/core/share-invalidation.js'
import { postgresShareStore } from './adapters/postgres-share-store.js'
import { type OperatorPorts, withdrawShare, withdrawSharesOf } from './application/withdraw-shares.js'
import type { FoundShare } from './domain/found-share.js'
import { isId, ownerId, type ShareId, shareId } from './domain/ids.js'
import { shareNotFound } from './domain/share.js'

const usage = `Usage: node dist/services/content/main.js COMMAND
  show SHARE …                          show who owns a share, and what is known about it
  withdraw SHARE …                      delete shares permanently, as their owners would
  withdraw --owner ACCOUNT              delete every share of an account
  migrate | doctor | move-documents     schema; checks; documents to S3
SHARE is an ID or a link. With --json, each line is JSON. Without a command, the process serves requests.`

/** The id in a share link, or a plain id. */
function shareIn(text: string): ShareId {
  const id = /^https?:\/\/[^/]+\/(?:.*\/)?(?:s|api\/shares)\/([^/?#]+)/.exec(text)?.[1] ?? text
  if (!isId(id))
    throw new UsageError(`"${plainText(text)}" is neither a share ID nor a share link.\n${usage}`)
  return shareId(id)
}

function sharesIn(words: readonly string[]): readonly ShareId[] {
  if (words.length === 0) throw new UsageError(`Name a share by its id or its link.\n${usage}`)
  return words.map(shareIn)
}

function fieldsOf({ record, expired }: FoundShare) {
  return {
    id: record.id,
    account: record.ownerId,
    tool: record.tool,
    title: record.title,
    size_bytes: record.digest.sizeBytes,
    created_at: record.createdAt.toISOString(),
    expires_at: record.expiresAt?.toISOString() ?? null,
    expired,
  }
}

function describe(share: FoundShare): string {
  return Object.entries(fieldsOf(share))
    .map(([name, value]) => `${name.replaceAll('_', ' ').padEnd(12)}${plainText(String(value ?? '-'))}`)
    .join('\n')
}

const noticed: Readonly<Record<Announced, string>> = {
  told: 'All gateways have been notified.',
  unreachable: 'Redis is unreachable; gateways notice within 2 seconds.',
  'no-redis': 'Without REDIS_URL gateways notice within 2 seconds.',
}

const after = 'Browsers and CDNs may show cached copies for up to 60 seconds.'

type Command = (ports: OperatorPorts, given: CommandArguments) => Promise<void>

async function withdrawAll(ports: OperatorPorts, account: string, json: boolean): Promise<void> {
  const { withdrawn, announced } = await withdrawSharesOf(ports, ownerId(account))
  if (json) return say(JSON.stringify({ account, withdrawn, announced }))
  const word = announced === null ? '' : ` ${noticed[announced]} ${after}`
  const amount = withdrawn === 1 ? '1 share' : `${withdrawn} shares`
  say(`Deleted ${amount} of ${plainText(account)}.${word}`)
}

const commands: Readonly<Record<string, Command>> = {
  async show({ shares }, { words, json }) {
    for (const id of sharesIn(words)) {
      const found = await shares.find(id, false)
      if (found === null) throw shareNotFound()
      say(json ? JSON.stringify(fieldsOf(found)) : describe(found))
    }
  },
  async withdraw(ports, given) {
    const { words, json } = given
    const owner = given.value('owner')
    if (owner !== null && words.length > 0)
      throw new UsageError(`Name shares or --owner, not both.\n${usage}`)
    if (owner !== null) return withdrawAll(ports, owner, json)
    for (const id of sharesIn(words)) {
      const announced = await withdrawShare(ports, id)
      say(
        json
          ? JSON.stringify({ id, withdrawn: 1, announced })
          : `Share ${id} has been deleted. ${noticed[announced]} ${after}`,
      )
    }
  },
}

/**
 * Runs an operator command with only the database and Redis, whatever else is configured.
 * @throws UsageError for invalid arguments, DomainError `not_found`.
 */
export async function operate(env: Environment, args: readonly string[]): Promise<void> {
  const [name = '', ...rest] = args
  if (name === 'help' || name === '--help') return say(usage)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command "${plainText(name)}".\n${usage}`)
  const given = readArguments(rest, name === 'withdraw' ? ['owner'] : [], usage)
  const values = readVariables({ ...postgresVariables('snipkeep_content'), ...redisVariables }, env)
  const pool = createPool(
    { ...databaseOptions(values, 'content'), connectionsMax: 1 },
    createLogger('content', 'silent'),
  )
  const announcer = await openAnnouncer(values.REDIS_URL)
  const readers = { announce: (id: ShareId) => announcer.announce(shareInvalidationChannel, id) }
  try {
    await command({ shares: postgresShareStore(pool), readers }, given)
  } finally {
    announcer.close()
    await pool.end()
  }
}
