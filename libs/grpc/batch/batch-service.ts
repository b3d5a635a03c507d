import {
  Metadata,
  type MethodDefinition,
  type ServerWritableStream,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import {
  BatchServiceService,
  type Call,
  type CallResult,
  type MakeCallsRequest,
  type MakeCallsResponse,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { requestIdKey } from '../call.js'
import { type Failure, failureOfStatus } from '../status.js'

/** More calls are refused. */
const callsMax = 32
/** The results in one message; its receiver accepts 4 MiB. */
const messageBytesMax = 1_048_576

type Stream = ServerWritableStream<MakeCallsRequest, MakeCallsResponse>
type Method = MethodDefinition<unknown, unknown>
type Callback = (error: Partial<ServiceError> | null, response?: unknown) => void
type UnaryHandler = (call: BatchedCall, callback: Callback) => void

/** A unary method with its handler, which checks who calls it. */
interface Served {
  readonly method: Method
  readonly handler: UnaryHandler
}

/** What handlers see of one of the calls. */
class BatchedCall {
  readonly request: unknown
  readonly metadata = new Metadata()
  private readonly path: string
  private readonly stream: Stream
  private readonly listeners: (() => void)[]

  constructor(request: unknown, { method, requestId }: Call, stream: Stream, listeners: (() => void)[]) {
    this.request = request
    this.metadata.set(requestIdKey, requestId)
    this.path = method
    this.stream = stream
    this.listeners = listeners
  }

  getPath(): string {
    return this.path
  }

  getAuthContext(): ReturnType<Stream['getAuthContext']> {
    return this.stream.getAuthContext()
  }

  on(_event: 'cancelled', listener: () => void): void {
    this.listeners.push(listener)
  }
}

/** Sends results, those of one turn of the event loop together. */
function openResults(stream: Stream, total: number): (result: CallResult) => void {
  let left = total
  let waiting: CallResult[] = []
  const send = (): void => {
    let results: CallResult[] = []
    let bytes = 0
    for (const one of waiting) {
      const size = one.result?.$case === 'response' ? one.result.value.length : 0
      if (results.length > 0 && bytes + size > messageBytesMax) {
        stream.write({ results })
        results = []
        bytes = 0
      }
      results.push(one)
      bytes += size
    }
    stream.write({ results })
    waiting = []
    if (left === 0) stream.end()
  }
  return (result) => {
    left -= 1
    waiting.push(result)
    if (waiting.length === 1) setImmediate(send)
  }
}

function failed(code: status, error: Buffer = Buffer.alloc(0)): CallResult['result'] {
  return { $case: 'failure', value: { status: code, error } satisfies Failure }
}

/** The result of a call whose handler has ended. */
function resultOf(
  method: Method,
  error: Partial<ServiceError> | null,
  response: unknown,
): CallResult['result'] {
  if (error !== null) return { $case: 'failure', value: failureOfStatus(error) }
  return { $case: 'response', value: method.responseSerialize(response) }
}

/** Makes one call; `end` gets its result. A message that cannot be read or written is the failure of this call alone. */
function make(
  served: Served | undefined,
  call: Call,
  open: (request: unknown) => BatchedCall,
  end: (result: CallResult['result']) => void,
): void {
  if (served === undefined) {
    end(failed(status.UNIMPLEMENTED))
    return
  }
  const { method, handler } = served
  const unlessBroken = <Result>(work: () => Result): Result | null => {
    try {
      return work()
    } catch {
      end(failed(status.INTERNAL))
      return null
    }
  }
  const batched = unlessBroken(() => open(method.requestDeserialize(call.request)))
  if (batched === null) return
  handler(batched, (error, response) => {
    const result = unlessBroken(() => resultOf(method, error, response))
    if (result !== null) end(result)
  })
}

/** A service whose unary methods can be called in batches. */
export interface BatchedService {
  readonly definition: Readonly<Record<string, Method>>
  readonly handlers: Readonly<Record<string, unknown>>
}

/**
 * `BatchService` for the unary methods of these services. Their handlers see each call as if it came by itself: its
 * path, its request id, and the certificate of its caller.
 */
export function batchService(services: readonly BatchedService[]): {
  readonly definition: typeof BatchServiceService
  readonly handlers: { makeCalls(stream: Stream): void }
} {
  const byPath = new Map<string, Served>()
  for (const { definition, handlers } of services)
    for (const [name, method] of Object.entries(definition))
      if (!method.requestStream && !method.responseStream)
        byPath.set(method.path, { method, handler: handlers[name] as UnaryHandler })
  return {
    definition: BatchServiceService,
    handlers: {
      makeCalls(stream) {
        const { calls } = stream.request
        if (calls.length === 0 || calls.length > callsMax) {
          const details = `a batch has between 1 and ${callsMax} calls`
          stream.emit('error', Object.assign(new Error(details), { code: status.INVALID_ARGUMENT, details }))
          return
        }
        const listeners: (() => void)[] = []
        stream.on('cancelled', () => {
          for (const listener of listeners) listener()
        })
        const end = openResults(stream, calls.length)
        for (const [index, call] of calls.entries())
          make(
            byPath.get(call.method),
            call,
            (request) => new BatchedCall(request, call, stream, listeners),
            (result) => end({ index, result }),
          )
      },
    },
  }
}
