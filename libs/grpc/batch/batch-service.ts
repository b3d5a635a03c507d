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
import { messageBytesMax, turnWriter } from './turn-writer.js'

/** While so many calls of a stream have no result that was sent, no more are read from it. */
const unansweredMax = 256

type Together = Parameters<BatchServiceServer['makeCalls']>[0]
type Carried = Parameters<BatchServiceServer['carry']>[0]
type Callback = (error: Partial<ServiceError> | null, response?: unknown) => void
type UnaryHandler = (call: ServedCall, callback: Callback) => void

/** What handlers see of one of the calls. */
type ServedCall = EventEmitter &
  Pick<ServerUnaryCall<unknown, unknown>, 'request' | 'metadata' | 'getPath' | 'getAuthContext'> & {
    readonly deadline: NodeJS.Timeout | undefined
  }

/** A service and its handlers. */
interface ServedService {
  readonly definition: ServiceDefinition
  readonly handlers: Readonly<Record<string, unknown>>
}

/** A unary method with its handler, which checks who calls it. */
interface Served {
  readonly method: Pick<MethodDefinition<unknown, unknown>, 'requestDeserialize' | 'responseSerialize'>
  readonly handler: UnaryHandler
}

/** Any other method. */
const unknown: Served = {
  method: { requestDeserialize: (request) => request, responseSerialize: () => Buffer.alloc(0) },
  handler: (_call, callback) => callback({ code: status.UNIMPLEMENTED }),
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

/** Makes the calls that arrive by a stream, and sends their results as `next` takes them. */
function serveCalls(
  byPath: ReadonlyMap<string, Served>,
  stream: Carried | Together,
  next?: typeof nextPiece,
) {
  const caller = stream.getAuthContext()
  const open = new Map<number, ServedCall>()
  let isEnding = false
  const sizeOf = ({ result }: CallResult): number =>
    result?.value instanceof Buffer ? result.value.length : 0
  const messageOf = (sent: readonly CallResult[]): unknown => {
    flow()
    return { results: sent }
  }
  const results = turnWriter<CallResult>(stream, sizeOf, messageOf, next)
  const flow = (): void => {
    if (!('resume' in stream)) return
    if (open.size + results.waiting.length < unansweredMax) stream.resume()
    else stream.pause()
  }
  const forget = (id: number): ServedCall | undefined => {
    const call = open.get(id)
    clearTimeout(call?.deadline)
    open.delete(id)
    if (isEnding && open.size === 0) results.end()
    return call
  }
  const cancel = (id: number): void => {
    forget(id)?.emit('cancelled')
    flow()
  }
  stream.on('cancelled', () => {
    for (const id of [...open.keys()]) cancel(id)
  })
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
  return {
    take(calls: readonly Call[]): void {
      for (const call of calls)
        if (call.method === '') cancel(call.id)
        else make(call)
      flow()
    },
    /** No more calls arrive; the stream ends with the last result. */
    end(): void {
      isEnding = true
      if (open.size === 0) results.end()
    },
    /** Has the caller make further calls on another stream. */
    sendAway: () => results.add({ index: 0, result: undefined }),
  }
}

/**
 * `BatchService` for the unary methods of these services. Their handlers see each call as if it came by itself: its
 * path, its request id, its trace, its deadline, and the certificate of its caller.
 */
export function batchService(services: readonly ServedService[]) {
  const byPath = new Map<string, Served>()
  for (const { definition, handlers } of services)
    for (const [name, method] of Object.entries(definition))
      if (!method.requestStream && !method.responseStream)
        byPath.set(method.path, { method, handler: handlers[name] as UnaryHandler })
  const carrying = new Set<ReturnType<typeof serveCalls>>()
  return {
    definition: BatchServiceService,
    handlers: {
      carry(stream: Carried): void {
        const calls = serveCalls(byPath, stream, nextPiece)
        carrying.add(calls)
        stream.on('close', () => carrying.delete(calls))
        stream.on('data', (message: CarryRequest) => calls.take(message.calls))
        stream.on('end', calls.end)
      },
      makeCalls(stream: Together): void {
        const calls = serveCalls(byPath, stream)
        calls.take(stream.request.calls.map((call, id) => ({ ...call, id })))
        calls.end()
      },
    },
    /** Has every caller make further calls on a stream to another process. */
    drain(): void {
      for (const calls of carrying) calls.sendAway()
    },
  }
}
