import {
  type CallOptions,
  type Client,
  type ClientReadableStream,
  type ClientUnaryCall,
  type ClientWritableStream,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import type { Breaker } from './breaker.js'
import { type ObservedCall, observeMade, watchSilence } from './observe-call.js'
import { fromServiceError, isLostCall, partUnavailable, serviceErrorOf } from './status.js'

/** The request that a call belongs to, and its deadline. */
export interface CallContext {
  /** Appears in the logs of every process. */
  readonly requestId: string
  /** Milliseconds until the call fails with `timeout`. */
  readonly timeoutMs: number
  /** Aborting it cancels the call. */
  readonly signal?: AbortSignal
}

/** The metadata key of the request id. */
export const requestIdKey = 'x-request-id'

/** A method of a generated client, which knows its path and its messages. */
type KnownMethod = Pick<
  MethodDefinition<unknown, unknown>,
  'path' | 'requestSerialize' | 'responseDeserialize'
>

/** What can be cancelled. */
export type Cancellable = Pick<ClientUnaryCall, 'cancel'>

/** A unary call that may travel on an open stream. */
export interface CarriableCall {
  readonly method: KnownMethod
  readonly request: unknown
  readonly context: CallContext
  readonly metadata: Metadata
  readonly callback: (error: unknown, response?: unknown) => void
  /** Makes it by itself. */
  alone(): Cancellable
}

/** Makes the frequent ones of these calls on open streams. */
export interface Carrier {
  make(call: CarriableCall): Cancellable
}

/** A client whose calls use a breaker and a carrier if it has them. */
export type GuardedClient = Client & { readonly breaker?: Breaker; readonly carrier?: Carrier }

/** Makes the calls of a client use this breaker and this carrier. */
export function guardClient<OfService extends GuardedClient>(
  client: OfService,
  guards: Pick<GuardedClient, 'breaker' | 'carrier'>,
): OfService {
  return Object.assign(client, guards)
}

interface Prepared {
  readonly head: [Metadata, CallOptions]
  readonly observed: ObservedCall | null
  /** By `performance.now`. */
  readonly startedAt: number
}

/**
 * Nothing is sent for a caller that has gone: grpc-js leaves the stream of a call open at the server when it is
 * cancelled in the turn that made it.
 * @throws DomainError `unavailable` while the client's circuit is open; ServiceError `CANCELLED` for an aborted signal.
 */
export function prepareCall(client: GuardedClient, method: object, context: CallContext): Prepared {
  if (context.signal?.aborted) throw serviceErrorOf(status.CANCELLED, 'Cancelled on client')
  client.breaker?.check()
  const metadata = new Metadata()
  metadata.set(requestIdKey, context.requestId)
  const observed = observeMade(method, metadata, context.requestId)
  const deadline = Date.now() + context.timeoutMs
  return { head: [metadata, { deadline }], observed, startedAt: performance.now() }
}

/** The status of an error; `UNKNOWN` if it has none. */
export function statusOf(error: unknown): status {
  return error instanceof Error && 'code' in error && typeof error.code === 'number'
    ? error.code
    : status.UNKNOWN
}

/**
 * Reports the outcome of a call to the client's breaker, if it has one. A cancelled call says nothing, unless it was
 * cancelled because of its server's silence.
 */
export function noteOutcome(
  { breaker }: GuardedClient,
  error: unknown,
  { startedAt, isTooLong = false }: { readonly startedAt: number; readonly isTooLong?: boolean },
): void {
  if (breaker === undefined) return
  if (isTooLong) {
    breaker.lost(performance.now())
    return
  }
  const code = error === null ? status.OK : statusOf(error)
  if (error !== null && isLostCall(error))
    breaker.lost(code === status.DEADLINE_EXCEEDED ? performance.now() : startedAt)
  else if (code !== status.CANCELLED) breaker.responded()
}

/** Cancels the call when the signal is aborted; the returned function removes the listener. */
export function followSignal(call: Cancellable, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {}
  const cancel = (): void => call.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  return () => signal.removeEventListener('abort', cancel)
}

type Callback<Response> = (error: ServiceError | null, response: Response) => void

/** A unary method of a generated client. */
type UnaryMethod<Request, Response> = (
  request: Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  callback: Callback<Response>,
) => ClientUnaryCall

/**
 * A unary call as a promise: `callUnary(client, client.getSnippet, request, context)`.
 * @throws DomainError as the server threw it, or `unavailable` or `timeout`.
 */
export function callUnary<Request, Response>(
  client: GuardedClient,
  method: UnaryMethod<Request, Response>,
  request: Request,
  context: CallContext,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let forget = (): void => {}
    const { head, observed, startedAt } = prepareCall(client, method, context)
    const callback = (error: unknown, response?: unknown): void => {
      forget()
      noteOutcome(client, error, { startedAt })
      observed?.end(error === null ? status.OK : statusOf(error))
      if (error === null) resolve(response as Response)
      else reject(fromServiceError(error))
    }
    const alone = (): Cancellable => method.call(client, request, ...head, callback)
    const known = method as unknown as KnownMethod
    const carriable = { method: known, request, context, metadata: head[0], callback, alone }
    const call = client.carrier?.make(carriable) ?? alone()
    forget = followSignal(call, context.signal)
  })
}

/**
 * The messages of a server stream, pulled one by one. Leaving the loop early cancels the call.
 * @throws DomainError like `callUnary`; `unavailable` if the server is silent for a minute.
 */
export async function* callServerStream<Request, Response>(
  client: GuardedClient,
  method: (
    request: Request,
    metadata: Metadata,
    options: Partial<CallOptions>,
  ) => ClientReadableStream<Response>,
  request: Request,
  context: CallContext,
): AsyncGenerator<Response, void, undefined> {
  const { head, observed, startedAt } = prepareCall(client, method, context)
  const call = method.call(client, request, ...head)
  const forget = followSignal(call, context.signal)
  const silence = watchSilence(() => call.cancel())
  let ended = false
  try {
    silence.begin()
    for await (const message of call) {
      silence.end()
      yield message as Response
      silence.begin()
    }
    ended = true
    noteOutcome(client, null, { startedAt })
    observed?.end(status.OK)
  } catch (error) {
    ended = true
    const isTooLong = silence.isTooLong()
    noteOutcome(client, error, { startedAt, isTooLong })
    observed?.end(statusOf(error))
    throw isTooLong ? partUnavailable(error) : fromServiceError(error)
  } finally {
    forget()
    silence.stop()
    if (!ended) call.cancel()
    observed?.end(status.CANCELLED)
  }
}

/** An open client stream. */
export interface ClientStream<Request, Response> {
  /** Resolves when there is room for the next message; rejects once the call has failed. */
  write(message: Request): Promise<void>
  /** Ends the stream and returns the server's response. */
  finish(): Promise<Response>
  /** Ends the call without a response. */
  cancel(): void
}

/**
 * Opens a client stream.
 * @throws DomainError from `write` and `finish`, like `callUnary`; `unavailable` if the server takes nothing, or does
 *   not respond to the end, for a minute.
 */
export function callClientStream<Request, Response>(
  client: GuardedClient,
  method: (
    metadata: Metadata,
    options: Partial<CallOptions>,
    callback: Callback<Response>,
  ) => ClientWritableStream<Request>,
  context: CallContext,
): ClientStream<Request, Response> {
  let call: ClientWritableStream<Request> | undefined
  const { head, observed, startedAt } = prepareCall(client, method, context)
  const silence = watchSilence(() => call?.cancel())
  const result = new Promise<Response>((resolve, reject) => {
    call = method.call(client, ...head, (error, response) => {
      forget()
      silence.stop()
      const isTooLong = error !== null && silence.isTooLong()
      noteOutcome(client, error, { startedAt, isTooLong })
      observed?.end(error === null ? status.OK : error.code)
      if (error === null) resolve(response)
      else reject(isTooLong ? partUnavailable(error) : fromServiceError(error))
    })
    // The response has the reason; the stream's own error event repeats it.
    call.on('error', () => {})
  })
  const stream = call as unknown as ClientWritableStream<Request>
  const forget = followSignal(stream, context.signal)
  result.catch(() => {})
  let isEnding = false
  const heard = (): void => {
    silence.end()
    // What was written before the end may be taken after it.
    if (isEnding) silence.begin()
  }
  return {
    write(message) {
      silence.begin()
      const written = new Promise<void>((resolve, reject) => {
        stream.write(message, (error: Error | null | undefined) => {
          heard()
          if (error) reject(fromServiceError(error))
          else resolve()
        })
      })
      // A failed call responds at once; its error is more specific than that of the broken write.
      return Promise.race([written, result.then(() => written)])
    },
    finish() {
      isEnding = true
      silence.begin()
      stream.end()
      return result
    },
    cancel: () => stream.cancel(),
  }
}
