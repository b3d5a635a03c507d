import type { QueryClient } from '@tanstack/react-query'
import { type Contract, NotFoundError, PreconditionFailedError, type Snipkeep } from '#sdk/exports.js'
import { contractKey } from '../../api/query-keys.js'
import { rulesIn } from './contract-rules.js'

/** A contract, and its rules as they are spelled. */
export interface ShownContract extends Contract {
  readonly etag: string | null
  readonly text: string
}

type ContractApi = Pick<Snipkeep, 'contracts'>

/** The contract of a snippet; `null` if it has none. */
export async function readContract(
  { contracts }: ContractApi,
  id: string,
  options: { readonly signal: AbortSignal },
): Promise<ShownContract | null> {
  try {
    const raw = await contracts.raw(id, options)
    const body = await raw.text()
    return { ...(JSON.parse(body) as Contract), etag: raw.etag, text: rulesIn(body) }
  } catch (error) {
    if (error instanceof NotFoundError) return null
    throw error
  }
}

/** Makes a change; reads the contract again if it is no longer the one that was shown, so that the page shows the current one. */
async function rereadIfMoved<Result>(
  queries: QueryClient,
  id: string,
  change: Promise<Result>,
): Promise<Result> {
  try {
    return await change
  } catch (error) {
    if (error instanceof PreconditionFailedError)
      await queries.invalidateQueries({ queryKey: contractKey(id) })
    throw error
  }
}

/**
 * Replaces the contract that was shown, or adds one where there was none: never what someone else has set since.
 * @throws PreconditionFailedError
 */
export async function saveContract(
  { contracts }: ContractApi,
  queries: QueryClient,
  { id, shown, rules }: { readonly id: string; readonly shown: ShownContract | null; readonly rules: string },
): Promise<void> {
  const condition = shown === null ? { ifNoneMatch: '*' as const } : { ifMatch: shown.etag ?? undefined }
  await rereadIfMoved(queries, id, contracts.put(id, rules, condition))
}

/**
 * Removes the contract that was shown.
 * @throws PreconditionFailedError
 */
export async function removeContract(
  { contracts }: ContractApi,
  queries: QueryClient,
  { id, shown: { etag } }: { readonly id: string; readonly shown: ShownContract },
): Promise<void> {
  await rereadIfMoved(queries, id, contracts.remove(id, etag === null ? {} : { ifMatch: etag }))
}
