import { createHash } from 'node:crypto'
import { isUnavailability } from '#libs/core/domain-error.js'
import { callUnary } from '#libs/grpc/call.js'
import type { TarFile } from '#libs/tar/write-tar.js'
import { dataPart } from '../../data/stored-data.js'
import { accountReader } from '../../rate-limits/rate-limits.js'
import { documentCall, type RequestContext } from '../../request/request-context.js'
import { subscriptionResponse } from '../subscriptions/subscription-schemas.js'
import { archiveFormat, archiveVersion, type ListName, listPath, partBytesMax } from './archive-format.js'
import { exportChecks, exportContracts } from './export-contracts.js'
import {
  type ExportedData,
  type ExportedRecord,
  type ExportSource,
  exportEvents,
  exportHistory,
  exportKeys,
  exportPublishers,
  exportShares,
  exportSnippets,
  orGone,
} from './export-records.js'

/** What the manifest says of a file that is not data. */
interface ManifestFile {
  readonly path: string
  readonly size_bytes: number
  readonly sha256: string
}

/** What the manifest tells of the whole. */
interface Account {
  readonly files: ManifestFile[]
  readonly counts: Record<string, number>
  /** The paths of data that was gone when its turn came. */
  readonly gone: string[]
  /** Parts of the account that could not be read. */
  readonly unavailable: string[]
}

const lists: readonly (readonly [ListName, (source: ExportSource) => AsyncIterable<ExportedRecord>])[] = [
  ['snippets', exportSnippets],
  ['contracts', exportContracts],
  ['checks', exportChecks],
  ['shares', exportShares],
  ['history', exportHistory],
  ['keys', exportKeys],
  ['trusted-publishers', exportPublishers],
  ['events', exportEvents],
]

const consistency =
  'The account may have changed during the export: lists were read page by page, newest first, and earlier versions when their turn came. Each file is whole and as it was at one moment. "gone" names data that was deleted meanwhile.'

/** At least one part, so that every list has a file. */
async function* partsOf(
  records: AsyncIterable<ExportedRecord>,
): AsyncGenerator<readonly ExportedRecord[], void, undefined> {
  let part: ExportedRecord[] = []
  let bytes = 0
  let parts = 0
  for await (const record of records) {
    part.push(record)
    bytes += record.heldBytes
    if (bytes < partBytesMax) continue
    yield part
    parts += 1
    part = []
    bytes = 0
  }
  if (parts === 0 || part.length > 0) yield part
}

function textFile(account: Account, path: string, text: string): TarFile {
  const bytes = Buffer.from(text)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  account.files.push({ path, size_bytes: bytes.length, sha256 })
  return { path, sizeBytes: bytes.length, content: [bytes] }
}

/** A stream whose first chunk has arrived, so that data that is gone has no header yet. */
async function opened(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  }
  return all()
}

/** `null` if the data is gone. */
async function dataFile(
  { dependencies, caller, currentCaller }: ExportSource,
  context: RequestContext,
  { path, sizeBytes, load }: ExportedData,
): Promise<TarFile | null> {
  await currentCaller()
  const data = await load()
  if (data === null) return null
  const request = { context: documentCall(context), reader: accountReader(caller), hasSlot: true }
  const part = dataPart(dependencies.documentReads, data, request)
  if (part instanceof Uint8Array) return { path, sizeBytes, content: [part] }
  const content = await opened(part).catch(orGone)
  return content === null ? null : { path, sizeBytes, content }
}

async function accountText({ dependencies, caller, call }: ExportSource, account: Account): Promise<string> {
  const { subscriptions } = dependencies.upstreams
  const readSubscription = async () => {
    const request = { accountId: caller.accountId }
    return subscriptionResponse(await callUnary(subscriptions, subscriptions.getSubscription, request, call))
  }
  const subscription = dependencies.everyoneIsPro
    ? null
    : await readSubscription().catch((error: unknown) => {
        if (!isUnavailability(error)) throw error
        account.unavailable.push('subscription')
        return null
      })
  return JSON.stringify({
    ...{ format: archiveFormat, version: archiveVersion, server: dependencies.publicBaseUrl },
    ...{ id: caller.accountId, email: caller.email, email_verified: caller.emailVerified, name: caller.name },
    ...{
      picture: caller.picture,
      plan: caller.plan,
      created_at: caller.createdAt.toISOString(),
      subscription,
    },
  })
}

/** The files of an archive of everything that an account holds, in order; the manifest last. */
export async function* exportFiles(
  source: ExportSource,
  context: RequestContext,
): AsyncGenerator<TarFile, void, undefined> {
  const startedAt = new Date()
  const account: Account = { files: [], counts: {}, gone: [], unavailable: [] }
  yield textFile(account, 'account.json', await accountText(source, account))
  for (const [name, recordsOf] of lists) {
    let number = 0
    for await (const part of partsOf(recordsOf(source))) {
      await source.currentCaller()
      number += 1
      account.counts[name] = (account.counts[name] ?? 0) + part.length
      yield textFile(account, listPath(name, number), part.map(({ line }) => `${line}\n`).join(''))
      for (const data of part.flatMap((record) => record.data)) {
        const file = await dataFile(source, context, data)
        if (file === null) account.gone.push(data.path)
        else yield file
      }
    }
  }
  const manifest = JSON.stringify({
    ...{ format: archiveFormat, version: archiveVersion, account_id: source.caller.accountId },
    ...{ since: source.since?.toISOString() ?? null, started_at: startedAt.toISOString() },
    ...{ finished_at: new Date().toISOString(), consistency, ...account },
  })
  yield textFile(account, 'manifest.json', manifest)
}
