import { firstRow, statement } from '#libs/postgres/pool.js'
import type { Session } from '#libs/postgres/session.js'
import { approvalRequired, schemaApprovalRequired } from '../domain/contract.js'
import type { OwnerId } from '../domain/ids.js'

const find = statement('contract-guard')(`
  SELECT snippet_contract.snippet_id = ANY ($2::text[]) AS is_own FROM snippet_contract
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.rules IS NOT NULL
    AND (snippet_contract.snippet_id = ANY ($2::text[]) OR snippet_contract.schema_of = ANY ($2::text[]))
  ORDER BY is_own DESC LIMIT 1`)

const findSchema = statement('contract-schema-use')(`
  SELECT FROM snippet_contract
  WHERE snippet_contract.owner_id = $1 AND snippet_contract.rules IS NOT NULL
    AND snippet_contract.schema_of = ANY ($2::text[]) LIMIT 1`)

/** Whether a contract has what these references name as its schema. */
export async function isSchema(
  tx: Session,
  ownerId: OwnerId,
  references: readonly string[],
): Promise<boolean> {
  return (await firstRow(tx, findSchema(ownerId, references))) !== undefined
}

/**
 * Why contracts refuse a change to who may not approve; `null` if they do not. A statement of its own: the one that waited
 * for the lock of the snippet does not see what was committed meanwhile.
 * @param references of a snippet that this transaction has locked, or of a name that it has given; without any, nothing is
 * looked up.
 */
export async function refusalOf(
  tx: Session,
  ownerId: OwnerId,
  references: readonly string[],
): Promise<Error | null> {
  if (references.length === 0) return null
  const row = await firstRow<{ is_own: boolean }>(tx, find(ownerId, references))
  if (row === undefined) return null
  return row.is_own ? approvalRequired() : schemaApprovalRequired()
}

/**
 * Checks that no contract protects what has these references.
 * @throws DomainError `approval_required`.
 */
export async function checkUnguarded(
  tx: Session,
  ownerId: OwnerId,
  references: readonly string[],
): Promise<void> {
  const refusal = await refusalOf(tx, ownerId, references)
  if (refusal !== null) throw refusal
}
