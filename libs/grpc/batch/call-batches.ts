import { Metadata, status } from '@grpc/grpc-js'
import type { BatchServiceClient, Call, CallResult } from '#proto/snipkeep/batch/v1/batch_service.js'
import { DomainError, isUnavailability } from '../../core/domain-error.js'
import { coalesce } from '../../runtime/coalesce.js'
import {
  type BatchableCall,
  type CallBatches,
  callServerStream,
  cancelledError,
  type GuardedClient,
} from '../call.js'
import { observeMade } from '../observe-call.js'
import { type Failure, fromFailure, isUnimplemented, partUnavailable } from '../status.js'

/** A server accepts 32 calls and 1 MiB. */
const callsMax = 32
const requestBytesMax = 786_432

/** While two batches are under way, calls wait for one of them to end, or for 2 ms: larger batches cost less. */
const batching = { maxBatchSize: callsMax, maxInFlight: 2, maxDelayMs: 2 }

interface Waiting extends BatchableCall {
  resolve(response: unknown): void
  reject(error: unknown): void
}

interface Sent {
  readonly waiting: Waiting
  readonly message: Call
}

/** `null` for a request that cannot be written, whose call fails. */
function sentOf(waiting: Waiting): Sent | null {
  const { method, request, context } = waiting
  try {
    const message = { method: method.path, request: method.requestSerialize(request) }
    return { waiting, message: { ...message, requestId: context.requestId } }
  } catch (error) {
    waiting.reject(error)
    return null
  }
}

/** Splits the calls by their timeouts, and into batches that a server accepts. */
function batchesOf(calls: readonly Waiting[]): readonly (readonly [Sent, ...Sent[]])[] {
  const batches: [Sent, ...Sent[]][] = []
  const open = new Map<number, { readonly batch: Sent[]; bytes: number }>()
  for (const waiting of calls) {
    const { timeoutMs } = waiting.context
    const sent = sentOf(waiting)
    if (sent === null) continue
    const bytes = sent.message.request.length
    const last = open.get(timeoutMs)
    if (last !== undefined && last.bytes + bytes <= requestBytesMax) {
      last.batch.push(sent)
      last.bytes += bytes
    } else {
      const batch: [Sent, ...Sent[]] = [sent]
      batches.push(batch)
      open.set(timeoutMs, { batch, bytes })
    }
  }
  return batches
}

/** Calls that are traced travel by themselves. */
const untraced = new Metadata()

/** The error of one call, as if it had been made by itself. */
function errorOf(failure: Failure): Error {
  return failure.status === status.UNIMPLEMENTED && failure.error.length === 0
    ? partUnavailable()
    : fromFailure(failure)
}

/** @throws the error of the call. */
function responseOf({ method }: Waiting, result: CallResult['result']): unknown {
  if (result === undefined) throw new Error('a call of a batch got no result')
  if (result.$case === 'failure') throw errorOf(result.value)
  return method.responseDeserialize(result.value)
}

function settle(waiting: Waiting, result: CallResult['result']): void {
  try {
    waiting.resolve(responseOf(waiting, result))
  } catch (error) {
    waiting.reject(error)
  }
}

/**
 * Batches for calls to a process with a `BatchService`. What a lone call costs is HTTP/2 and gRPC, many times its
 * content (docs/history.md, 0146). A call gets its result when it has ended, whatever becomes of the others; one whose caller
 * has gone while it is under way ends as well. A process of the previous release, without the service, gets each call by
 * itself.
 * @param paths of the methods whose calls travel in batches.
 * @param isRetryable whether a call by this path may be made again if the connection broke before its result.
 */
export function createCallBatches(
  client: BatchServiceClient & GuardedClient,
  paths: ReadonlySet<string>,
  isRetryable: (path: string) => boolean,
): CallBatches {
  const makeAlone = ({ alone, context, resolve, reject }: Waiting, timeoutMs: number): Promise<void> =>
    alone({ ...context, timeoutMs }).then(resolve, reject)

  const makeTogether = async (batch: readonly [Sent, ...Sent[]]): Promise<void> => {
    const { requestId, timeoutMs } = batch[0].waiting.context
    if (batch.length === 1) return makeAlone(batch[0].waiting, timeoutMs)
    const startedAt = performance.now()
    const left = new Map(batch.map(({ waiting }, index) => [index, waiting]))
    const observed = batch.map(({ waiting: { method, context } }) =>
      observeMade(method, untraced, context.requestId),
    )
    const take = (index: number, code: status): Waiting | undefined => {
      const waiting = left.get(index)
      left.delete(index)
      observed[index]?.end(code)
      return waiting
    }
    try {
      const calls = batch.map(({ message }) => message)
      const messages = callServerStream(client, client.makeCalls, { calls }, { requestId, timeoutMs })
      for await (const { results } of messages) {
        for (const { index, result } of results) {
          const waiting = take(index, result?.$case === 'failure' ? result.value.status : status.OK)
          if (waiting !== undefined) settle(waiting, result)
        }
      }
      for (const index of [...left.keys()]) settle(take(index, status.INTERNAL) as Waiting, undefined)
    } catch (error) {
      const code =
        error instanceof DomainError && error.kind === 'timeout'
          ? status.DEADLINE_EXCEEDED
          : status.UNAVAILABLE
      const remainingMs = timeoutMs - (performance.now() - startedAt)
      const again: Promise<void>[] = []
      for (const index of [...left.keys()]) {
        const waiting = take(index, code) as Waiting
        const maybeAgain = isUnavailability(error) && isRetryable(waiting.method.path)
        if (isUnimplemented(error) || maybeAgain) again.push(makeAlone(waiting, remainingMs))
        else waiting.reject(error)
      }
      await Promise.all(again)
    }
  }

  const batched = coalesce<Waiting, undefined>(batching, async (calls) => {
    const wanted = calls.filter(({ context }) => context.signal?.aborted !== true)
    for (const { context, reject } of calls) if (context.signal?.aborted) reject(cancelledError())
    const [first, ...others] = wanted
    if (first !== undefined && others.length === 0) await makeAlone(first, first.context.timeoutMs)
    else await Promise.all(batchesOf(wanted).map(makeTogether))
    return calls.map(() => ({ status: 'fulfilled', value: undefined }))
  })

  return {
    paths,
    make: (call) =>
      new Promise((resolve, reject) => {
        batched({ ...call, resolve, reject }).catch(reject)
      }),
  }
}
