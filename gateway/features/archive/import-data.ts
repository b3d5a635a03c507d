import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLocatingScanner } from '#engine/secrets/locating-scanner.js'
import { DomainError } from '#libs/core/domain-error.js'
import type { TarEntry } from '#libs/tar/read-tar.js'
import { type NewData, Operation } from '#proto/snipkeep/content/v1/document_service.js'
import { dataTooLarge } from '#shared/core/data-size.js'
import { dataLimit } from '../../body/body-errors.js'
import { createDataReceiver } from '../../body/data-receiver.js'
import { openDocumentSink } from '../../body/document-sink.js'
import { createEnvelopeScanner } from '../../body/envelope-scanner.js'
import type { Caller, RequestContext } from '../../request/request-context.js'
import type { FeatureDependencies } from '../feature-dependencies.js'
import { type SecretWarning, warningsOf } from '../shares/secret-warnings.js'
import { archiveInvalid } from './archive-format.js'

/** Data that a list has announced. */
export interface AnnouncedData {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

const bytesPerTurn = 65_536

function isOfShare({ path }: AnnouncedData): boolean {
  return path.startsWith('data/shares/')
}

/** The chunks of a file; other requests have their turn after each 64 KiB. */
export async function* chunksInTurns(entry: TarEntry): AsyncGenerator<Uint8Array, void, undefined> {
  let inTurn = 0
  for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next()) {
    yield chunk
    inTurn += chunk.length
    if (inTurn < bytesPerTurn) continue
    await nextTurn()
    inTurn = 0
  }
}

/** @throws DomainError `data_too_large` beyond the caller's plan. */
export function checkAnnounced(
  { plans }: Pick<FeatureDependencies, 'plans'>,
  { plan }: Caller,
  announced: AnnouncedData,
): void {
  const { sizeBytes } = announced
  const limit = dataLimit(plans, plan, isOfShare(announced) ? 'share' : 'snippet')
  if (sizeBytes > limit.bytesMax) throw dataTooLarge({ ...limit, actualBytes: sizeBytes })
}

/** Data that was read and checked. */
export interface ReceivedData {
  /** What seems to be a secret in it, if it is to be published. */
  readonly warnings: readonly SecretWarning[]
  /** Stores it. It belongs to nothing yet, and is deleted unless something claims it. */
  keep(): Promise<NewData>
  discard(): void
}

/** @throws DomainError `archive_invalid` if the bytes are not those that were announced. */
function checkDigest(path: string, actual: string, { sha256 }: AnnouncedData): void {
  if (actual !== sha256) throw archiveInvalid(path, 'does not have the SHA-256 that its list says.')
}

/**
 * Reads announced data without storing it.
 * @throws DomainError `archive_invalid`.
 */
export async function skipData(entry: TarEntry, announced: AnnouncedData): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of chunksInTurns(entry)) hash.update(chunk)
  checkDigest(entry.path, hash.digest('hex'), announced)
}

/**
 * Reads announced data, and searches that of a share for secrets. Nothing of it is sent on to be stored if `store` is
 * false.
 * @throws DomainError `archive_invalid` if it is not the JSON object that was announced.
 */
export async function receiveData(
  dependencies: Pick<FeatureDependencies, 'plans' | 'shareSecrets' | 'upstreams'>,
  context: RequestContext,
  caller: Caller,
  entry: TarEntry,
  announced: AnnouncedData,
  store: boolean,
): Promise<ReceivedData> {
  const hash = createHash('sha256')
  const purpose = { operation: Operation.OPERATION_CREATE_SNIPPET, idempotencyKey: '' }
  const receiver = createDataReceiver(() =>
    openDocumentSink(dependencies.upstreams.documents, context, caller, purpose),
  )
  if (!store) receiver.cancel()
  const data = dataLimit(dependencies.plans, caller.plan, 'snippet')
  const scanner = createEnvelopeScanner({ fields: new Set(), data, dataAlone: true })
  const isSearched = dependencies.shareSecrets !== 'off' && isOfShare(announced)
  const search = isSearched ? createLocatingScanner({ nowMs: Date.now() }) : null
  let dataBytes = 0
  try {
    for await (const chunk of chunksInTurns(entry)) {
      hash.update(chunk)
      const found = scanner.push(chunk)
      if (found === null) continue
      dataBytes += found.length
      search?.push(found)
      await receiver.write(found)
    }
    checkDigest(entry.path, hash.digest('hex'), announced)
    const { problems } = scanner.finish()
    if (problems.length > 0 || dataBytes !== entry.sizeBytes)
      throw archiveInvalid(entry.path, 'is not a JSON object.')
    const warnings = search === null ? [] : warningsOf(search.finish())
    return { warnings, keep: receiver.finish, discard: receiver.cancel }
  } catch (error) {
    receiver.cancel()
    if (error instanceof DomainError && error.code === 'malformed_json')
      throw archiveInvalid(entry.path, 'is not a JSON object.')
    throw error
  }
}
