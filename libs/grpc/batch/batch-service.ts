import { EventEmitter } from 'node:events'
import {
  Metadata,
  type MethodDefinition,
  type ServerUnaryCall,
  type ServiceDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import {
  type BatchServiceServer,
  BatchServiceService,
  type Call,
  type CallResult,
  type CarryRequest,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { requestIdKey } from '../call.js'
import { traceparentKey } from '../observe-call.js'
import { failureOfStatus } from '../status.js'
import { messageBytesMax, messageCallsMax, turnWriter } from './turn-writer.js'

/** While so many calls of a stream have no result that was sent, no more are read from it. */
const unansweredMax = 256

type Stream = Parameters<BatchServiceServer['carry']>[0]
type Callback = (error: Partial<ServiceError> | null, response?: unknown) => void

/** What handlers see of one of the calls. */
type ServedCall = EventEmitter &
  Pick<ServerUnaryCall<unknown, unknown>, 'request' | 'metadata' | 'getPath' | 'getAuthContext'> & {
    readonly deadline: NodeJS.Timeout | undefined
  }

/** A unary method with its handler, which checks who calls it. */
interface Served {
  readonly method: Pick<MethodDefinition<unknown, unknown>, 'requestDeserialize' | 'responseSerialize'>
  readonly handler: (call: ServedCall, callback: Callback) => void
}

/** Any other method. */
const unknown: Served = {
  method: { requestDeserialize: (request) => request, responseSerialize: () => Buffer.alloc(0) },
  handler: (_call, callback) => callback({ code: status.UNIMPLEMENTED }),
}

function sizeOf({ result }: CallResult): number {
  return (result?.$case === 'failure' ? result.value.error : result?.value)?.length ?? 0
}

/** Takes the next result; of a large one a piece, whose rest goes behind the others. */
function nextPiece(waiting: CallResult[]): CallResult | undefined {
  const next = waiting.shift()
  if (next?.result?.$case !== 'response' || next.result.value.length <= messageBytesMax) return next
  const { index, result } = next
  const [value, rest] = [result.value.subarray(0, messageBytesMax), result.value.subarray(messageBytesMax)]
  waiting.push({ index, result: { $case: 'response', value: rest } })
  return { index, result: { $case: 'piece', value } }
}

/** Makes the calls that arrive by a stream, and sends their results. */
function serveCalls(byPath: ReadonlyMap<string, Served>, stream: Stream): void {
  const caller = stream.getAuthContext()
  const open = new Map<number, ServedCall>()
  const messageOf = (results: readonly CallResult[]): unknown => {
    flow()
    return { results }
  }
  const results = turnWriter<CallResult>(stream, sizeOf, messageOf, nextPiece)
  const flow = (): void => {
    if (open.size + results.waiting.length < unansweredMax) stream.resume()
    else stream.pause()
  }
  const endIfDone = (): void => {
    if (stream.readableEnded && open.size === 0) results.end()
  }
  const forget = (id: number): ServedCall | undefined => {
    const call = open.get(id)
    clearTimeout(call?.deadline)
    open.delete(id)
    endIfDone()
    return call
  }
  const cancel = (id: number): void => {
    forget(id)?.emit('cancelled')
    flow()
  }
  const make = ({ id, method: path, request: bytes, requestId, timeoutMs, traceparent }: Call): void => {
    const { method, handler } = byPath.get(path) ?? unknown
    const answer: Callback = (error, response) => {
      try {
        if (error === null)
          results.add({ index: id, result: { $case: 'response', value: method.responseSerialize(response) } })
        else results.add({ index: id, result: { $case: 'failure', value: failureOfStatus(error) } })
      } catch {
        answer({ code: status.INTERNAL })
      }
    }
    let request: unknown
    try {
      request = method.requestDeserialize(bytes)
    } catch {
      answer({ code: status.INTERNAL })
      return
    }
    const metadata = new Metadata()
    metadata.set(requestIdKey, requestId)
    if (traceparent !== '') metadata.set(traceparentKey, traceparent)
    const deadline = timeoutMs > 0 ? setTimeout(cancel, timeoutMs, id) : undefined
    const seen = { request, metadata, deadline, getPath: () => path, getAuthContext: () => caller }
    const call: ServedCall = Object.assign(new EventEmitter(), seen)
    open.set(id, call)
    handler(call, (...ended) => {
      // Nobody waits for the result of a cancelled call.
      if (open.get(id) !== call) return
      forget(id)
      answer(...ended)
    })
  }
  stream.on('data', ({ calls }: CarryRequest) => {
    if (calls.length > messageCallsMax) {
      const details = `a message has at most ${messageCallsMax} calls`
      stream.emit('error', Object.assign(new Error(details), { code: status.RESOURCE_EXHAUSTED, details }))
      return
    }
    for (const call of calls) {
      if (call.method === '' || open.has(call.id)) cancel(call.id)
      if (call.method !== '') make(call)
    }
    flow()
  })
  stream.on('end', endIfDone)
  stream.on('cancelled', () => {
    for (const id of [...open.keys()]) cancel(id)
  })
}

/**
 * `BatchService` for the unary methods of these services. Their handlers see each call as if it came by itself: its
 * path, its request id, its trace, its deadline, and the certificate of its caller.
 */
export function batchService(
  services: readonly { readonly definition: ServiceDefinition; readonly handlers: object }[],
) {
  const byPath = new Map<string, Served>()
  for (const { definition, handlers } of services)
    for (const [name, method] of Object.entries(definition))
      if (!method.requestStream && !method.responseStream)
        byPath.set(method.path, { method, handler: Reflect.get(handlers, name) })
  const carry = (stream: Stream): void => serveCalls(byPath, stream)
  return { definition: BatchServiceService, handlers: { carry } }
}
