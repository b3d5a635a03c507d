import { callUnary } from '#libs/grpc/call.js'
import { type Check, CheckState } from '#proto/snipkeep/content/v1/check_service.js'
import type { Contract } from '#proto/snipkeep/content/v1/contract_service.js'
import { checkResponse } from '../checks/check-response.js'
import { contractText } from '../contracts/contract-text.js'
import { dataPath } from './archive-format.js'
import {
  callsMax,
  type ExportedRecord,
  type ExportSource,
  inlineBytes,
  isSince,
  type ListPage,
  orGone,
  pageSize,
  pagesOf,
  record,
  slicesOf,
} from './export-records.js'

/** Reads each item of a list with a call of its own, since lists have no rules and no data. */
async function* eachOf<Item>(
  read: (cursor: string) => Promise<ListPage<Item>>,
  isWanted: (item: Item) => boolean,
  load: (item: Item) => Promise<ExportedRecord | null>,
): AsyncGenerator<ExportedRecord, void, undefined> {
  for await (const page of pagesOf(read))
    for (const some of slicesOf(page.filter(isWanted), callsMax))
      for (const found of await Promise.all(some.map(load))) if (found !== null) yield found
}

/** The contracts of snippets, with their rules. */
export function exportContracts(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { contracts: client } = dependencies.upstreams
  const ownerId = caller.accountId
  const read = async (cursor: string): Promise<ListPage<Contract>> => {
    const { contracts, nextCursor } = await callUnary(
      client,
      client.listContracts,
      { ownerId, pageSize, cursor },
      call,
    )
    return { items: contracts, nextCursor }
  }
  const load = async ({ snippetId: id }: Contract): Promise<ExportedRecord | null> => {
    const found = await callUnary(client, client.getContract, { ownerId, id }, call).catch(orGone)
    // Rules may have several lines; none of their strings has.
    return found?.contract === undefined ? null : record(contractText(found.contract).replace(/[\r\n]/g, ' '))
  }
  return eachOf(read, ({ updatedAt }) => isSince(updatedAt, since), load)
}

/** The checks that nobody has decided yet, with their data. */
export function exportChecks(source: ExportSource): AsyncGenerator<ExportedRecord, void, undefined> {
  const { dependencies, caller, call, since } = source
  const { publicBaseUrl, upstreams } = dependencies
  const { checks: client } = upstreams
  const ownerId = caller.accountId
  const read = async (cursor: string): Promise<ListPage<Check>> => {
    const request = { ownerId, id: '', state: CheckState.CHECK_STATE_PENDING, pageSize, cursor }
    const { checks, nextCursor } = await callUnary(client, client.listChecks, request, call)
    return { items: checks, nextCursor }
  }
  const load = async ({ id }: Check): Promise<ExportedRecord | null> => {
    const request = { ownerId, id, includeData: true }
    const found = await callUnary(client, client.getCheck, request, call).catch(orGone)
    const check = found?.check
    // It may be decided at this moment.
    if (check?.state !== CheckState.CHECK_STATE_PENDING) return null
    const { sizeBytes, data } = check
    const exported = { path: dataPath('checks', id), sizeBytes, load: async () => data ?? null }
    return record(JSON.stringify(checkResponse(publicBaseUrl, check)), [exported], inlineBytes(data))
  }
  return eachOf(read, ({ createdAt }) => isSince(createdAt, since), load)
}
