import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type {
  BatchServiceClient,
  Call,
  CallResult,
  CarryResponse,
} from '#proto/snipkeep/batch/v1/batch_service.js'
import { isUnavailability } from '../../core/domain-error.js'
import type { Cancellable, CarriableCall, Carrier } from '../call.js'
import { traceparentKey } from '../observe-call.js'
import { fromServiceError, serviceErrorOf } from '../status.js'
import { messageBytesMax, turnWriter } from './turn-writer.js'

/** A stream takes calls for so long; for the next, the channel chooses a replica again. */
const takesMs = 250
/** A further stream is opened when every one has this many calls in flight. */
const busyFrom = 16
const streamsMax = 8
/** When every stream has this many, calls are made by themselves. */
const inFlightMax = 128
/** For how long calls are made by themselves after a process of the previous release was reached. */
const aloneMs = 10_000

/** A call without a result. */
interface InFlight {
  receive(result: CallResult['result']): void
  /** Its stream has ended. */
  lose(error: ServiceError): void
}

type CallStream = ReturnType<typeof openStream>

const cancelled = { method: '', request: Buffer.alloc(0), requestId: '', timeoutMs: 0, traceparent: '' }

/** Opens a stream; `onRetired` is called when it takes no more calls. */
function openStream(client: BatchServiceClient, onRetired: (error?: ServiceError) => void) {
  const inFlight = new Map<number, InFlight>()
  const stream = client.carry(new Metadata())
  const messageOf = (calls: readonly Call[]): unknown => ({ calls })
  const writer = turnWriter<Call>(stream, ({ request }) => request.length, messageOf)
  let [lastId, isRetired] = [0, false]
  const endIfDone = (): void => {
    if (isRetired && inFlight.size === 0) writer.end()
  }
  const retire = (error?: ServiceError): void => {
    clearTimeout(timer)
    isRetired = true
    onRetired(error)
    endIfDone()
  }
  const lose = (error: ServiceError): void => {
    stream.destroy()
    retire(error)
    for (const call of inFlight.values()) call.lose(error)
  }
  const timer = setTimeout(retire, takesMs).unref()
  stream.on('data', ({ results }: CarryResponse) => {
    for (const { index, result } of results) inFlight.get(index)?.receive(result)
  })
  stream.on('error', lose)
  stream.on('end', () => lose(serviceErrorOf(status.UNAVAILABLE, 'the stream of calls ended')))

  /** Makes a call; `mayRepeat` it by itself if the connection broke before its result. */
  const make = (call: CarriableCall, request: Buffer, mayRepeat: boolean): Cancellable => {
    const { method, context, metadata, callback } = call
    const { requestId, timeoutMs } = context
    lastId += 1
    const id = lastId
    const pieces: Buffer[] = []
    const end = (): void => {
      clearTimeout(deadline)
      inFlight.delete(id)
      endIfDone()
    }
    const giveUp = (code: status, details: string): void => {
      const at = writer.waiting.findIndex((one) => one.id === id)
      if (at < 0) writer.add({ ...cancelled, id })
      else writer.waiting.splice(at, 1)
      end()
      callback(serviceErrorOf(code, details))
    }
    const readResponse = (last: Buffer): void => {
      let response: unknown
      try {
        response = method.responseDeserialize(Buffer.concat([...pieces, last]))
      } catch (error) {
        callback(error)
        return
      }
      callback(null, response)
    }
    const repeat = (): void => {
      // A client that has been closed meanwhile throws.
      try {
        current = call.alone()
      } catch (error) {
        callback(error)
      }
    }
    const deadline = setTimeout(giveUp, timeoutMs, status.DEADLINE_EXCEEDED, 'Deadline exceeded')
    let current: Cancellable = { cancel: () => giveUp(status.CANCELLED, 'Cancelled on client') }
    inFlight.set(id, {
      receive(result) {
        if (result?.$case === 'piece') {
          pieces.push(result.value)
          return
        }
        end()
        if (result?.$case === 'response') readResponse(result.value)
        else callback(serviceErrorOf(result?.value.status ?? status.INTERNAL, 'failed', result?.value.error))
      },
      lose(error) {
        end()
        const isUnknown = error.code === status.UNIMPLEMENTED
        if (isUnknown || (mayRepeat && isUnavailability(fromServiceError(error)))) repeat()
        else callback(error)
      },
    })
    const traceparent = String(metadata.get(traceparentKey)[0] ?? '')
    writer.add({ method: method.path, request, requestId, id, timeoutMs: Math.ceil(timeoutMs), traceparent })
    return { cancel: () => current.cancel() }
  }
  return { inFlight, make, retire }
}

/**
 * Carries frequent calls to a process on open streams of its `BatchService`: a call by itself costs many times its
 * content, for HTTP/2 and gRPC. A call gets its result when it has ended, whatever becomes of the others. Those whose
 * request is large are made by themselves, as are all to a process of the previous release, which knows no streams.
 * @param paths of the methods whose calls are carried.
 * @param isRetryable whether a call by this path may be made again if the connection broke before its result.
 */
export function createCallCarrier(
  client: BatchServiceClient,
  paths: ReadonlySet<string>,
  isRetryable: (path: string) => boolean,
): Carrier & { close(): void } {
  const open = new Set<CallStream>()
  let aloneUntil = 0
  const openOne = (): CallStream => {
    const opened = openStream(client, (error) => {
      open.delete(opened)
      if (error?.code === status.UNIMPLEMENTED) aloneUntil = performance.now() + aloneMs
    })
    open.add(opened)
    return opened
  }
  /** The stream with the fewest calls; none if all have too many. */
  const choose = (): CallStream | undefined => {
    const [least] = [...open].sort((one, other) => one.inFlight.size - other.inFlight.size)
    if (least === undefined || (least.inFlight.size >= busyFrom && open.size < streamsMax)) return openOne()
    return least.inFlight.size < inFlightMax ? least : undefined
  }
  return {
    make(call) {
      const { path, requestSerialize } = call.method
      if (!paths.has(path) || performance.now() < aloneUntil) return call.alone()
      const request = requestSerialize(call.request)
      const stream = request.length > messageBytesMax ? undefined : choose()
      return stream?.make(call, request, isRetryable(path)) ?? call.alone()
    },
    close() {
      for (const stream of open) stream.retire()
    },
  }
}
