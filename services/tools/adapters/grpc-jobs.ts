import { invalidField } from '#libs/core/domain-error.js'
import type { CallersOf } from '#libs/grpc/allowed-callers.js'
import type { Handlers } from '#libs/grpc/handler.js'
import type { BoundService } from '#libs/grpc/server.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import {
  type ComparisonJob as ComparisonMessage,
  type ContractJob as ContractMessage,
  type JobServiceServer,
  JobServiceService,
  type JobStart,
  type JobNote as NoteMessage,
  type RunJobRequest,
} from '#proto/snipkeep/tools/v1/job_service.js'
import { planName } from '#shared/plan-messages.js'
import type { JobSlots } from '../application/job-slots.js'
import { runJob } from '../application/run-job.js'
import { type ComparisonJob, type ContractJob, inputCount, type Job, type JobNote } from '../domain/job.js'
import type { Bytes, ToolsPorts } from '../ports.js'

function misplaced(detail: string): Error {
  return invalidField('/part', 'invalid', detail)
}

function oneOf<Word extends string>(words: readonly Word[], word: string, pointer: string): Word {
  const found = words.find((one) => one === word)
  if (found !== undefined) return found
  throw invalidField(pointer, 'invalid', `${pointer} must be one of ${words.join(', ')}.`)
}

function comparisonOf(message: ComparisonMessage): ComparisonJob {
  return {
    kind: 'comparison',
    key: message.key,
    ignore: message.ignore,
    numbers: oneOf(['exact', 'value'], message.numbers, '/numbers'),
    format: oneOf(['changes', 'summary', 'json-patch', 'text'], message.format, '/format'),
    values: oneOf(['json', 'text'], message.values, '/values'),
    limit: message.limit,
    quotes: oneOf(['strict', 'lenient'], message.quotes ?? 'strict', '/quotes'),
    comment: message.comment,
    skip: message.skip,
  }
}

function contractOf({ rules, hasBaseline, hasCandidate, hasSchema, limit }: ContractMessage): ContractJob {
  if (hasBaseline && !hasCandidate) throw misplaced('A baseline is for judging a candidate.')
  const inputs = [
    ...(hasBaseline ? (['baseline'] as const) : []),
    ...(hasCandidate ? (['candidate'] as const) : []),
    ...(hasSchema ? (['schema'] as const) : []),
  ]
  return { kind: 'contract', rules, inputs, limit }
}

function optionsOf(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const options: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (typeof options !== 'object' || options === null)
    throw invalidField('/options', 'invalid', 'options must be an object.')
  return { ...options }
}

function jobOf({ job }: JobStart): Job {
  if (job?.$case === 'comparison') return comparisonOf(job.value)
  if (job?.$case === 'contract') return contractOf(job.value)
  if (job?.$case !== 'tool') throw misplaced('The first message of a job must say what to run.')
  return { kind: 'tool', name: job.value.name, options: optionsOf(job.value.options) }
}

async function startOf(parts: AsyncIterator<RunJobRequest>): Promise<JobStart> {
  const first = await parts.next()
  const part = first.done === true ? undefined : first.value.part
  if (part?.$case !== 'start') throw misplaced('The first message of a job must say what to run.')
  return part.value
}

/** One input, up to its end. */
async function* inputOf(parts: AsyncIterator<RunJobRequest>, signal: AbortSignal): Bytes {
  for (;;) {
    const { done, value } = await parts.next()
    // A cancelled stream ends like a complete one; only the signal shows the difference.
    signal.throwIfAborted()
    if (done === true) throw misplaced('An input has no end.')
    if (value.part?.$case === 'inputEnds') return
    if (value.part?.$case !== 'chunk') throw misplaced('Every message of a job but the first must be input.')
    yield value.part.value
  }
}

function noteMessage({ message, position }: JobNote): NoteMessage {
  return { message, line: position?.line, column: position?.column }
}

const callers: CallersOf<typeof JobServiceService> = { runJob: ['gateway'] }

/** Chunks are views of the received bytes, and are copied once on their way out. */
const definition: typeof JobServiceService = {
  runJob: {
    ...JobServiceService.runJob,
    requestDeserialize(message) {
      const chunk = bytesOnlyField(2, message)
      if (chunk !== null) return { part: { $case: 'chunk', value: chunk } }
      return JobServiceService.runJob.requestDeserialize(message)
    },
    responseSerialize: ({ chunk, notes }) =>
      notes.length === 0
        ? bytesMessage(1, chunk)
        : JobServiceService.runJob.responseSerialize({ chunk, notes }),
  },
}

/** `JobService` over gRPC. */
export function grpcJobs(
  { bothWays }: Pick<Handlers, 'bothWays'>,
  ports: ToolsPorts,
  slots: JobSlots,
): BoundService {
  const handlers: JobServiceServer = {
    runJob: bothWays(async function* (requests, { signal }) {
      const parts = requests[Symbol.asyncIterator]()
      const { holder: id, plan, anonymous, inputBytes, ...start } = await startOf(parts)
      const job = jobOf({ holder: id, plan, anonymous, inputBytes, ...start })
      const holder = { id, plan: planName(plan), anonymous }
      const inputs = Array.from({ length: inputCount(job) }, () => inputOf(parts, signal))
      const waiting: NoteMessage[] = []
      const onNote = (note: JobNote): void => void waiting.push(noteMessage(note))
      for await (const bytes of runJob(ports, slots, { holder, job, inputBytes, inputs, onNote, signal }))
        yield {
          chunk: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          notes: waiting.splice(0),
        }
      if (waiting.length > 0) yield { chunk: Buffer.alloc(0), notes: waiting }
    }),
  }
  return { definition, handlers, callers }
}
