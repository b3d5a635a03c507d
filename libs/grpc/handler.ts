import { once } from 'node:events'
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js'
import { DomainError, isDown } from '../core/domain-error.js'
import { messageWithCauseOf } from '../core/message-of.js'
import type { Logger } from '../log/logger.js'
import { createRepeats } from '../log/repeats.js'
import { requestIdKey } from './call.js'
import { type ObservedCall, observeServed } from './observe-call.js'
import { toFailure, toServiceError } from './status.js'

/** The context of a call besides its message. */
export interface HandlerContext {
  readonly requestId: string
  /** Aborted if the caller cancels or its deadline passes. */
  readonly signal: AbortSignal
  /** Reports that one of several requests in this call has failed, and logs unexpected errors. */
  failureOf(error: unknown, requestId: string): ReturnType<typeof toFailure>
}

interface AnyCall {
  readonly metadata: Metadata
  getPath(): string
  on(event: 'cancelled', listener: () => void): unknown
}

type ReportFailure = (error: unknown, call: AnyCall, requestId: string) => void

/** While a dependency is down, each method fails with every call. */
const repeatMs = 10_000

/** Logs an error that is unexpected, or has a cause; of those about something that is down, a few. */
function failureReporter(log: Logger, onUnexpected: (error: unknown) => void): ReportFailure {
  const repeats = createRepeats(repeatMs)
  return (error, call, requestId) => {
    const fields = { err: error, rpc: call.getPath(), request_id: requestId }
    if (!(error instanceof DomainError)) {
      onUnexpected(error)
      log.error({ event: 'unexpected_error', ...fields }, 'unexpected error')
      return
    }
    if (error.cause === undefined) return
    const line = isDown(error) ? repeats.next(`${call.getPath()} ${messageWithCauseOf(error)}`) : {}
    if (line !== null) log.warn({ event: 'call_failed', ...fields, ...line }, error.code)
  }
}

class CallHandlerContext implements HandlerContext {
  readonly requestId: string
  private readonly call: AnyCall
  private readonly report: ReportFailure
  private cancelled = false
  private abort: AbortController | null = null

  constructor(call: AnyCall, report: ReportFailure) {
    this.requestId = String(call.metadata.get(requestIdKey)[0] ?? '')
    this.call = call
    this.report = report
    call.on('cancelled', () => {
      this.cancelled = true
      this.abort?.abort()
    })
  }

  /** Created on demand, because few calls need it. */
  get signal(): AbortSignal {
    if (this.abort === null) {
      this.abort = new AbortController()
      if (this.cancelled) this.abort.abort()
    }
    return this.abort.signal
  }

  failureOf(error: unknown, requestId: string): ReturnType<typeof toFailure> {
    this.report(error, this.call, requestId)
    return toFailure(error)
  }
}

/** Runs the work of a call, observed if telemetry is on. */
function running<T>(observed: ObservedCall | null, work: () => T): T {
  return observed === null ? work() : observed.run(work)
}

/** Creates gRPC handlers from async functions: errors become statuses, and unexpected ones are logged here. */
export interface Handlers {
  unary<Request, Response>(
    work: (request: Request, context: HandlerContext) => Promise<Response>,
  ): handleUnaryCall<Request, Response>
  /** Messages are pulled from the generator only as fast as the caller reads them. */
  serverStream<Request, Response>(
    work: (request: Request, context: HandlerContext) => AsyncGenerator<Response, void, undefined>,
  ): handleServerStreamingCall<Request, Response>
  /** Messages are read from the caller only as fast as `work` takes them. */
  clientStream<Request, Response>(
    work: (requests: AsyncIterable<Request>, context: HandlerContext) => Promise<Response>,
  ): handleClientStreamingCall<Request, Response>
  /** Messages are read from the caller as `work` takes them, and pulled from it as the caller reads them. */
  bothWays<Request, Response>(
    work: (
      requests: AsyncIterable<Request>,
      context: HandlerContext,
    ) => AsyncGenerator<Response, void, undefined>,
  ): handleBidiStreamingCall<Request, Response>
}

/** A call whose messages stream back. */
type StreamingCall<Response> = AnyCall &
  NodeJS.EventEmitter & { write(message: Response): boolean; end(): unknown }

/**
 * Handlers that log to `log`.
 * @param onUnexpected called for each unexpected error, besides the log.
 */
export function grpcHandlers(log: Logger, onUnexpected: (error: unknown) => void = () => {}): Handlers {
  const report = failureReporter(log, onUnexpected)
  const failure = (
    error: unknown,
    call: AnyCall,
    context: HandlerContext,
  ): ReturnType<typeof toServiceError> => {
    if (context.signal.aborted && !(error instanceof DomainError)) {
      return { ...toServiceError(error), code: status.CANCELLED, details: 'cancelled' }
    }
    report(error, call, context.requestId)
    return toServiceError(error)
  }
  const observe = (call: AnyCall, { requestId }: HandlerContext): ObservedCall | null =>
    observeServed(call.getPath(), call.metadata, requestId)

  const respond = <Response>(
    call: AnyCall,
    callback: sendUnaryData<Response>,
    work: (context: HandlerContext) => Promise<Response>,
  ): void => {
    const context = new CallHandlerContext(call, report)
    const observed = observe(call, context)
    running(observed, () => work(context)).then(
      (response) => {
        observed?.end(status.OK)
        callback(null, response)
      },
      (error: unknown) => {
        const failed = running(observed, () => failure(error, call, context))
        observed?.end(failed.code)
        callback(failed)
      },
    )
  }

  const stream = <Response>(
    call: StreamingCall<Response>,
    work: (context: HandlerContext) => AsyncGenerator<Response, void, undefined>,
  ): void => {
    const context = new CallHandlerContext(call, report)
    const observed = observe(call, context)
    running(observed, () => pump(work(context), call, context.signal)).then(
      () => {
        observed?.end(context.signal.aborted ? status.CANCELLED : status.OK)
        call.end()
      },
      (error: unknown) => {
        const failed = running(observed, () => failure(error, call, context))
        observed?.end(failed.code)
        call.emit('error', Object.assign(new Error('stream failed'), failed))
      },
    )
  }

  return {
    unary: (work) => (call, callback) => respond(call, callback, (context) => work(call.request, context)),
    serverStream: (work) => (call) => stream(call, (context) => work(call.request, context)),
    bothWays: (work) => (call) => stream(call, (context) => work(call, context)),
    clientStream: (work) => (call, callback) => respond(call, callback, (context) => work(call, context)),
  }
}

async function pump<Response>(
  messages: AsyncGenerator<Response, void, undefined>,
  call: StreamingCall<Response>,
  signal: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    if (signal.aborted) return
    if (!call.write(message)) await once(call, 'drain', { signal })
  }
}
