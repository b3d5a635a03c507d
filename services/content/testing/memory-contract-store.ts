import type { ContractStore } from '../contract-ports.js'
import { approvalRequired, type Contract, schemaApprovalRequired, schemaOf } from '../domain/contract.js'
import type { OwnerId } from '../domain/ids.js'
import type { SnippetKey } from '../domain/snippet-reads.js'
import type { MemoryState } from './memory-state.js'

/**
 * Checks that no contract protects what has these references.
 * @throws DomainError `approval_required`.
 */
export function checkUnguarded(state: MemoryState, ownerId: OwnerId, references: readonly string[]): void {
  const all = [...state.contracts.values()].flatMap(({ contract }) =>
    contract?.ownerId === ownerId ? [contract] : [],
  )
  if (all.some(({ snippetId }) => references.includes(snippetId))) throw approvalRequired()
  if (isSchema(state, ownerId, references)) throw schemaApprovalRequired()
}

/** Whether a contract has what these references name as its schema. */
export function isSchema(state: MemoryState, ownerId: OwnerId, references: readonly string[]): boolean {
  return [...state.contracts.values()].some(
    ({ contract }) => contract?.ownerId === ownerId && references.includes(schemaOf(contract.rules) ?? ''),
  )
}

/** Contracts in memory, for tests. */
export function memoryContractStore(state: MemoryState): ContractStore {
  const isOwn = ({ ownerId, id }: SnippetKey): boolean => state.snippets.get(id)?.record.ownerId === ownerId
  const current = (key: SnippetKey): Contract | null =>
    isOwn(key) ? (state.contracts.get(key.id)?.contract ?? null) : null
  const ofOwner = (ownerId: OwnerId): readonly Contract[] =>
    [...state.contracts.values()].flatMap(({ contract }) => (contract?.ownerId === ownerId ? [contract] : []))
  return {
    find: async (key) => current(key),
    async put(key, { rules, principal }, check, { contractsMax, refuse }) {
      schemaOf(rules)
      if (!isOwn(key)) return null
      const before = current(key)
      check(before)
      if (before === null && contractsMax !== null && ofOwner(key.ownerId).length >= contractsMax)
        throw refuse()
      const now = state.now()
      const version = (state.contracts.get(key.id)?.version ?? 0) + 1
      const times = { createdAt: before?.createdAt ?? now, updatedAt: now }
      const contract = { ownerId: key.ownerId, snippetId: key.id, rules, version, principal, ...times }
      state.contracts.set(key.id, { contract, version })
      return { contract, created: before === null }
    },
    async remove(key, check) {
      const before = current(key)
      if (before === null) return false
      check(before)
      state.contracts.set(key.id, { contract: null, version: before.version + 1 })
      return true
    },
    list: async (ownerId, after, itemsMax) =>
      ofOwner(ownerId)
        .filter(({ snippetId }) => after === null || snippetId > after)
        .sort((a, b) => (a.snippetId < b.snippetId ? -1 : 1))
        .slice(0, itemsMax)
        .map((contract) => ({ ...contract, rules: '' })),
    count: async (ownerId) => ofOwner(ownerId).length,
  }
}
