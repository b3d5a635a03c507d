import type { CallContext } from '#libs/grpc/call.js'
import { callBothWays, type DuplexStream } from '#libs/grpc/call-both-ways.js'
import type {
  JobNote,
  JobServiceClient,
  JobStart,
  RunJobRequest,
  RunJobResponse,
} from '#proto/snipkeep/tools/v1/job_service.js'
import type { PlanName } from '#shared/core/plan.js'
import { planMessage } from '#shared/plan-messages.js'
import type { ByteSource } from '../../body/body-bytes.js'
import type { Part } from '../../http/send-bytes.js'
import type { DocumentReader } from '../../rate-limits/rate-limits.js'

/** A message holds at most this many bytes of input. */
const messageBytesMax = 262_144
/** Input of up to this many bytes is received whole first: a slow sender holds no slot. */
const wholeBytesMax = 262_144

/** What to run for whom. */
export interface JobOrder {
  readonly job: NonNullable<JobStart['job']>
  readonly reader: DocumentReader
  readonly plan: PlanName
  /** The size of all inputs together; `null` if it is unknown. */
  readonly inputBytes: number | null
  readonly inputs: readonly ByteSource[]
  /** Takes what a tool has to say, before the first chunk of its output. */
  readonly onNote?: (note: JobNote) => void
}

type Stream = DuplexStream<RunJobRequest, RunJobResponse>

function startOf({ job, reader, plan, inputBytes }: JobOrder): RunJobRequest {
  const value = {
    holder: reader.subject,
    plan: planMessage(plan),
    anonymous: reader.anonymous,
    inputBytes: inputBytes ?? undefined,
    job,
  }
  return { part: { $case: 'start', value } }
}

async function* piecesOf(source: ByteSource): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next())
    for (let at = 0; at < chunk.length; at += messageBytesMax) yield chunk.subarray(at, at + messageBytesMax)
}

async function received(source: ByteSource): Promise<ByteSource> {
  const chunks: Buffer[] = []
  for await (const piece of piecesOf(source)) chunks.push(piece)
  return { next: async () => chunks.shift() ?? null, stop: (reason) => source.stop(reason) }
}

/** Sends the inputs, unless the call ends before. @throws what the inputs throw. */
async function feed(stream: Stream, order: JobOrder, inputs: readonly ByteSource[]): Promise<void> {
  let isOpen = await stream.write(startOf(order))
  for (const input of inputs) {
    for await (const value of piecesOf(input)) {
      isOpen = isOpen && (await stream.write({ part: { $case: 'chunk', value } }))
      if (!isOpen) return
    }
    isOpen = isOpen && (await stream.write({ part: { $case: 'inputEnds', value: true } }))
  }
  if (isOpen) stream.end()
}

/** Runs tools and comparisons in their service. */
export type RunJob = (order: JobOrder, context: CallContext) => ByteSource

/** The jobs of this gateway. `next` throws what the inputs and the service throw. */
export function createRunJob(client: JobServiceClient): RunJob {
  return (order, context) => {
    const { inputs, inputBytes } = order
    let stopped: { readonly reason: unknown } | null = null
    let stream: Stream | null = null
    const stop = (reason: unknown): void => {
      stopped ??= { reason }
      stream?.cancel()
      const error = reason instanceof Error ? reason : new Error(String(reason))
      for (const input of inputs) input.stop(error)
    }
    const open = async (): Promise<Stream> => {
      const isSmall = inputBytes !== null && inputBytes <= wholeBytesMax
      const ready = isSmall ? await Promise.all(inputs.map(received)) : inputs
      if (stopped !== null) throw stopped.reason
      const opened = callBothWays(client, client.runJob, context)
      stream = opened
      feed(opened, order, ready).catch((reason: unknown) => {
        stopped ??= { reason }
        opened.cancel()
      })
      return opened
    }
    let opening: Promise<Stream> | null = null
    return {
      async next() {
        opening ??= open()
        try {
          const response = await (await opening).next()
          for (const note of response?.notes ?? []) order.onNote?.(note)
          return response === null
            ? null
            : Buffer.from(response.chunk.buffer, response.chunk.byteOffset, response.chunk.length)
        } catch (error) {
          const reason = stopped === null ? error : stopped.reason
          stop(reason)
          throw reason
        }
      },
      stop,
    }
  }
}

async function* chunksOf(source: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) yield chunk
}

/**
 * Short output with its length; of longer output the beginning and the rest.
 * @param bytesMax up to which output is short: an error that comes before is still the response.
 */
export async function partsOf(
  source: ByteSource,
  bytesMax: number,
): Promise<{ parts: readonly Part[]; length: number | null }> {
  const first: Buffer[] = []
  let length = 0
  for (let chunk = await source.next(); chunk !== null; chunk = await source.next()) {
    first.push(chunk)
    length += chunk.length
    if (length > bytesMax) return { parts: [Buffer.concat(first), chunksOf(source)], length: null }
  }
  return { parts: [Buffer.concat(first)], length }
}
