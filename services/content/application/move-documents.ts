import type { AtomicDocumentStore, ListedDocumentStore } from '../document-ports.js'
import type { DocumentId } from '../domain/ids.js'
import type { DataDigest } from '../domain/stored-data.js'
import type { ContentPorts } from '../ports.js'

/** The dependencies of a document move. */
export interface MovePorts extends Pick<ContentPorts, 'registry' | 'hashing' | 'monotonicMs'> {
  readonly from: ListedDocumentStore
  readonly to: AtomicDocumentStore
  /** Resolves after this many milliseconds, or at once on an abort. */
  readonly wait: (ms: number, stop: AbortSignal) => Promise<void>
}

export interface MoveDocuments {
  /** The maximum duration of reads in progress. */
  readonly graceMs: number
  /** Ends the move early; the next one continues. */
  readonly stop: AbortSignal
  readonly report: (progress: MoveProgress) => void
  /** Called with the reason if a document could not be moved. */
  readonly failed: (id: DocumentId, error: unknown) => void
}

/** The progress of a move. */
export interface MoveProgress {
  /** Documents that have been moved. */
  readonly moved: number
  readonly bytes: number
  /** Documents in both stores until no one can be reading them in the first. */
  readonly waiting: number
  /** Documents that nothing named at the last check: they are about to be claimed, or swept. */
  readonly unnamed: number
  /** Documents that could not be moved at the last check. */
  readonly failed: number
}

interface Copied {
  readonly id: DocumentId
  readonly sizeBytes: number
  readonly at: number
}

interface Pass {
  readonly copied: Copied[]
  moved: number
  bytes: number
  unnamed: number
  failed: number
  failedInARow: number
}

const listedAtOnce = 100
const copiedAtOnce = 4
/** The maximum number of waiting copies, each with a record of some hundred bytes. */
const waitingMax = 100_000
/** If this many fail in a row, the store is at fault and not the documents. */
const failuresInARowMax = 20

/** The bytes of a document; the stream fails at its end if they differ from what was stored. */
async function* checked(
  { from, hashing }: MovePorts,
  id: DocumentId,
  digest: DataDigest,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = hashing.start()
  for await (const chunk of from.read(id, { offset: 0, length: null })) {
    stop.throwIfAborted()
    hash.update(chunk)
    yield chunk
  }
  if (hash.digest() !== digest.sha256) throw new Error('the stored bytes are not those that were uploaded')
}

async function isWhole(
  { to, hashing }: MovePorts,
  id: DocumentId,
  digest: DataDigest,
  stop: AbortSignal,
): Promise<boolean> {
  const hash = hashing.start()
  for await (const chunk of to.read(id, { offset: 0, length: null })) {
    stop.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest() === digest.sha256
}

/**
 * Copies a document unless its copy exists. Copies appear only when complete, so several moves may copy the same
 * document at once, even from rows that another is removing.
 * @returns its size once the copy has been read back; `unnamed` if nothing names it, `gone` if it was removed.
 */
async function copy(
  ports: MovePorts,
  id: DocumentId,
  stop: AbortSignal,
): Promise<number | 'unnamed' | 'gone'> {
  const { registry, to } = ports
  const digest = await registry.findNamed(id)
  if (digest === null) return 'unnamed'
  if (!(await isWhole(ports, id, digest, stop))) {
    // A document that is named now is not swept before its grace period ends, and a write that takes longer
    // never becomes visible.
    if ((await registry.findNamed(id)) === null) return 'unnamed'
    const failure = await to
      .write(id, checked(ports, id, digest, stop))
      .catch((error: unknown) => ({ error }))
    if (!(await isWhole(ports, id, digest, stop)) && (await registry.find(id)) !== null) {
      if (failure !== undefined) throw failure.error
      await to.remove([id])
      throw new Error('the copy does not read as it was written')
    }
  }
  if ((await registry.find(id)) !== null) return digest.sizeBytes
  await to.remove([id])
  return 'gone'
}

async function copyInto(
  pass: Pass,
  ports: MovePorts,
  id: DocumentId,
  { stop, failed }: MoveDocuments,
): Promise<void> {
  try {
    const copied = await copy(ports, id, stop)
    pass.failedInARow = 0
    if (copied === 'unnamed') pass.unnamed += 1
    else if (copied !== 'gone') pass.copied.push({ id, sizeBytes: copied, at: ports.monotonicMs() })
  } catch (error) {
    if (stop.aborted) return
    pass.failed += 1
    pass.failedInARow += 1
    failed(id, error)
  }
}

/** Removes an original after a last check of its copy. */
async function removeOriginal(
  { registry, from, to }: MovePorts,
  { id, sizeBytes }: Copied,
): Promise<boolean> {
  for await (const _byte of to.read(id, { offset: sizeBytes - 1, length: 1 })) {
    await from.remove([id])
    return true
  }
  if ((await registry.find(id)) !== null) throw new Error('the copy has vanished')
  return false
}

/** Removes the originals of copies that are older than the grace period. */
async function removeOriginals(
  pass: Pass,
  ports: MovePorts,
  { graceMs, failed }: MoveDocuments,
): Promise<void> {
  for (;;) {
    const [first] = pass.copied
    if (first === undefined || first.at + graceMs >= ports.monotonicMs()) return
    pass.copied.shift()
    try {
      if (!(await removeOriginal(ports, first))) continue
      pass.moved += 1
      pass.bytes += first.sizeBytes
    } catch (error) {
      pass.failed += 1
      failed(first.id, error)
    }
  }
}

async function waitForOriginals(
  pass: Pass,
  ports: MovePorts,
  request: MoveDocuments,
  until: number,
): Promise<void> {
  while (pass.copied.length > until && !request.stop.aborted) {
    const dueIn = (pass.copied[0]?.at ?? 0) + request.graceMs + 1 - ports.monotonicMs()
    if (dueIn > 0) await ports.wait(dueIn, request.stop)
    await removeOriginals(pass, ports, request)
  }
}

/** Processes all documents once. */
async function movePass(pass: Pass, ports: MovePorts, request: MoveDocuments): Promise<void> {
  let after: DocumentId | null = null
  while (!request.stop.aborted && pass.failedInARow < failuresInARowMax) {
    const ids: DocumentId[] = [...(await ports.from.list(after, listedAtOnce))]
    after = ids.at(-1) ?? null
    if (after === null) break
    const work = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined && !request.stop.aborted; id = ids.shift())
        if (pass.failedInARow < failuresInARowMax) await copyInto(pass, ports, id, request)
    }
    await Promise.all(Array.from({ length: copiedAtOnce }, work))
    await removeOriginals(pass, ports, request)
    await waitForOriginals(pass, ports, request, waitingMax)
    request.report(progressOf(pass))
  }
  await waitForOriginals(pass, ports, request, 0)
}

function progressOf({ moved, bytes, copied, unnamed, failed }: Pass): MoveProgress {
  return { moved, bytes, waiting: copied.length, unnamed, failed }
}

/**
 * Moves every document that a record names from one store to the other, while both are in use. It may stop at any
 * moment and run again, or run twice at once. An original is removed once its copy has been read back completely and
 * then existed for the grace period: earlier reads of the original have ended by then.
 */
export async function moveDocuments(ports: MovePorts, request: MoveDocuments): Promise<MoveProgress> {
  let sum = { moved: 0, bytes: 0 }
  for (;;) {
    const pass: Pass = { copied: [], moved: 0, bytes: 0, unnamed: 0, failed: 0, failedInARow: 0 }
    const before = sum
    const added = (progress: MoveProgress): MoveProgress => ({
      ...progress,
      moved: before.moved + progress.moved,
      bytes: before.bytes + progress.bytes,
    })
    await movePass(pass, ports, { ...request, report: (progress) => request.report(added(progress)) })
    const progress = added(progressOf(pass))
    sum = progress
    // Others may have been claimed meanwhile by writers that started before the switch to this store.
    if (pass.moved === 0 || request.stop.aborted) return progress
  }
}
