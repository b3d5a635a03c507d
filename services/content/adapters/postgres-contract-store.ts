import { firstRow, type Pool, query, rowCount, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { transaction } from '#libs/postgres/transaction.js'
import type { ContractStore } from '../contract-ports.js'
import { type Contract, schemaOf } from '../domain/contract.js'
import { type OwnerId, ownerId, snippetId } from '../domain/ids.js'
import { principalFromText, principalToText } from '../domain/snippet.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import { lockSnippet } from './postgres-snippet-change.js'

interface ContractRow {
  readonly owner_id: string
  readonly snippet_id: string
  /** `null` after its removal. */
  readonly rules: string | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly principal: string | null
}

const columns = (
  rules: string,
): string => `snippet_contract.owner_id, snippet_contract.snippet_id, ${rules} AS rules,
  snippet_contract.version, snippet_contract.created_at, snippet_contract.updated_at, snippet_contract.principal`

const ofSnippet = `FROM snippet_contract WHERE snippet_contract.owner_id = $1 AND snippet_contract.snippet_id = $2`

const find = statement('contract-find')(`SELECT ${columns('snippet_contract.rules')} ${ofSnippet}`)

/** Everything that changes contracts locks their snippets, so that no row changes between the two. */
const put = statement('contract-put')(`
  INSERT INTO snippet_contract (owner_id, snippet_id, rules, version, principal, schema_of, created_at, updated_at)
  SELECT $1, $2, $3, 1, $4, $5, moment.now, moment.now FROM (SELECT date_trunc('milliseconds', now()) AS now) AS moment
  ON CONFLICT (owner_id, snippet_id) DO UPDATE SET rules = excluded.rules, version = snippet_contract.version + 1,
    principal = excluded.principal, schema_of = excluded.schema_of,
    updated_at = greatest(excluded.updated_at, snippet_contract.updated_at),
    created_at = CASE WHEN snippet_contract.rules IS NULL THEN excluded.created_at ELSE snippet_contract.created_at END
  RETURNING ${columns('snippet_contract.rules')}`)

const remove = statement('contract-remove')(`
  UPDATE snippet_contract SET rules = NULL, schema_of = NULL, principal = NULL, version = snippet_contract.version + 1
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.snippet_id = $2`)

const list = statement('contract-list')(`
  SELECT ${columns("''")} FROM snippet_contract
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.snippet_id > $2 AND snippet_contract.rules IS NOT NULL
  ORDER BY snippet_contract.snippet_id LIMIT $3`)

const count = statement('contract-count')(`
  SELECT count(*)::int AS contracts FROM snippet_contract
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.rules IS NOT NULL`)

/**
 * Of two first contracts at once, the second counts the first, and a snippet that is created with the name of a schema
 * comes before the contract or finds it. The owner of a snippet has this row.
 */
const lockOwner = statement('contract-lock-owner')(`
  SELECT FROM owner WHERE owner.owner_id = $1 FOR UPDATE`)

/** Both snippets, in the order in which changes of several lock them, so that no schema changes while it becomes one. */
const lockWithSchema = statement('contract-lock-with-schema')(`
  SELECT FROM snippet
  WHERE snippet.owner_id = $1 AND (snippet.id = $2 OR snippet.id = $3 OR snippet.name = $4)
  ORDER BY snippet.id FOR UPDATE`)

function restoreContract(row: ContractRow): Contract {
  return {
    ownerId: ownerId(row.owner_id),
    snippetId: snippetId(row.snippet_id),
    rules: row.rules ?? '',
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    principal: row.principal === null ? null : principalFromText(row.principal),
  }
}

async function findContract(
  db: Pool | Session,
  { ownerId: owner, id }: SnippetKey,
): Promise<Contract | null> {
  const row = await firstRow<ContractRow>(db, find(owner, id))
  return row === undefined || row.rules === null ? null : restoreContract(row)
}

async function countContracts(db: Pool | Session, owner: OwnerId): Promise<number> {
  return (await firstRow<{ contracts: number }>(db, count(owner)))?.contracts ?? 0
}

/** Contracts in Postgres. */
export function postgresContractStore(pool: Pool): ContractStore {
  return {
    find: (key) => findContract(pool, key),
    put: (key, { rules, principal }, check, { contractsMax, refuse }) =>
      transaction(pool, async (tx) => {
        const schema = schemaOf(rules)
        const name = schema?.startsWith('@') === true ? schema.slice(1) : null
        if (schema !== null) await tx.query(lockWithSchema(key.ownerId, key.id, schema, name))
        if ((await lockSnippet(tx, key.ownerId, key.id)) === null) return null
        const before = await findContract(tx, key)
        check(before)
        const isLimited = before === null && contractsMax !== null
        if (isLimited || schema !== null) await tx.query(lockOwner(key.ownerId))
        if (isLimited && (await countContracts(tx, key.ownerId)) >= contractsMax) throw refuse()
        const by = principal === null ? null : principalToText(principal)
        const row = await firstRow<ContractRow>(tx, put(key.ownerId, key.id, rules, by, schema))
        if (row === undefined) throw new Error('the database returned no contract')
        return { contract: restoreContract(row), created: before === null }
      }),
    remove: (key, check) =>
      transaction(pool, async (tx) => {
        if ((await lockSnippet(tx, key.ownerId, key.id)) === null) return false
        const before = await findContract(tx, key)
        if (before === null) return false
        check(before)
        return (await rowCount(tx, remove(key.ownerId, key.id))) === 1
      }),
    list: async (owner, after, itemsMax) =>
      (await query<ContractRow>(pool, list(owner, after ?? '', itemsMax))).rows.map(restoreContract),
    count: (owner) => countContracts(pool, owner),
  }
}
