import type { CallOptions, ClientDuplexStream, Metadata } from '@grpc/grpc-js'
import { status } from '@grpc/grpc-js'
import {
  type CallContext,
  followSignal,
  type GuardedClient,
  noteOutcome,
  prepareCall,
  statusOf,
} from './call.js'
import { watchSilence } from './observe-call.js'
import { fromServiceError, partUnavailable } from './status.js'

/** An open stream in both directions. */
export interface DuplexStream<Request, Response> {
  /** Resolves to true when there is room for the next message, to false once the call has failed: `next` says why. */
  write(message: Request): Promise<boolean>
  /** Nothing more is written. From now on the server may be silent for a minute at most. */
  end(): void
  /**
   * The next message of the server, `null` at the end. Messages arrive only as fast as they are taken.
   * @throws DomainError like `callUnary`; `unavailable` if the server is silent for a minute after `end`.
   */
  next(): Promise<Response | null>
  /** Ends the call. */
  cancel(): void
}

/** Opens a stream in both directions. */
export function callBothWays<Request, Response>(
  client: GuardedClient,
  method: (metadata: Metadata, options: Partial<CallOptions>) => ClientDuplexStream<Request, Response>,
  context: CallContext,
): DuplexStream<Request, Response> {
  const { head, observed, startedAt } = prepareCall(client, method, context)
  const call = method.call(client, ...head)
  const forget = followSignal(call, context.signal)
  const silence = watchSilence(() => call.cancel())
  const messages = call[Symbol.asyncIterator]()
  let isOver = false
  const close = (code: status): void => {
    isOver = true
    forget()
    silence.stop()
    observed?.end(code)
  }
  return {
    write: (message) =>
      new Promise((resolve) => {
        call.write(message, (error: Error | null | undefined) => resolve(!error))
      }),
    end() {
      silence.begin()
      call.end()
    },
    async next() {
      try {
        const { done, value } = await messages.next()
        silence.end()
        if (done !== true) {
          silence.begin()
          return value as Response
        }
        if (!isOver) noteOutcome(client, null, { startedAt })
        close(status.OK)
        return null
      } catch (error) {
        const isTooLong = silence.isTooLong()
        if (!isOver) noteOutcome(client, error, { startedAt, isTooLong })
        close(statusOf(error))
        throw isTooLong ? partUnavailable(error) : fromServiceError(error)
      }
    },
    cancel() {
      if (isOver) return
      close(status.CANCELLED)
      call.on('error', () => {})
      call.cancel()
    },
  }
}
