import { boundsOf, type Holder, type Job, type Lane, laneOf, outputBytesMax } from '../domain/job.js'
import { outputTooLarge } from '../domain/job-errors.js'
import type { Bytes, JobRun, Spool, ToolsPorts } from '../ports.js'
import type { JobSlots } from './job-slots.js'

/** A job, and whose it is. */
export interface JobRequest {
  readonly holder: Holder
  readonly job: Job
  /** Of all inputs together; `undefined` if it is unknown. */
  readonly inputBytes: number | undefined
  readonly inputs: readonly AsyncIterable<Uint8Array>[]
  readonly onNote: JobRun['onNote']
  readonly signal: AbortSignal
}

/** How long a reader may take for an output, in milliseconds. */
const readMs = 900_000

async function* counted(input: AsyncIterable<Uint8Array>, count: (bytes: number) => void): Bytes {
  for await (const chunk of input) {
    count(chunk.length)
    yield chunk
  }
}

/** Runs the job into the spool, and releases its slot as soon as it has ended. */
async function runInto(spool: Spool, { runner }: Pick<ToolsPorts, 'runner'>, run: JobRun): Promise<void> {
  let [read, written] = [0, 0]
  const inputs = run.inputs.map((input) =>
    counted(input, (bytes) => {
      read += bytes
    }),
  )
  for await (const chunk of runner.run({ ...run, inputs })) {
    written += chunk.length
    const bytesMax = outputBytesMax(read)
    if (written > bytesMax) throw outputTooLarge(run.job, bytesMax)
    await spool.write(chunk)
  }
}

/**
 * Runs a job and yields its output. A job has its slot only while it runs: what its reader has not taken yet waits in a
 * spool.
 * @throws DomainError as `JobRunner.run` and `JobSlots.take` do, `tool_too_large` or `compare_too_large` for output out of
 * proportion to the input, `unavailable` if there is no room for it.
 */
export async function* runJob(
  ports: ToolsPorts,
  slots: JobSlots,
  { holder, job, inputBytes, inputs, onNote, signal }: JobRequest,
): Bytes {
  const lane: Lane = laneOf(holder, inputBytes)
  const bounds = boundsOf(lane, job)
  const slot = await slots.take(lane, holder, bounds.heldMs, signal)
  const reader = new AbortController()
  const ends = AbortSignal.any([signal, slot.signal, reader.signal, AbortSignal.timeout(readMs)])
  const spool = ports.spools.open()
  const running = runInto(spool, ports, { job, bounds, inputs, onNote, signal: ends })
    .then(
      () => spool.end(),
      (error: unknown) => spool.end(slot.signal.aborted ? slot.signal.reason : error),
    )
    .finally(slot.release)
  try {
    yield* spool.read()
  } finally {
    reader.abort(new Error('nobody reads the output'))
    await running
    await spool.close()
  }
}
