import { boundedNotes, type OnToolNote } from '#engine/tools/tool.js'
import type { InputPosition } from '#engine/tools/tool-input-error.js'
import { DomainError, validationFailed } from '#libs/core/domain-error.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import type { Job } from '../domain/job.js'
import { takesTooMuch } from '../domain/job-errors.js'
import type { Bytes, JobRun, JobRunner } from '../ports.js'
import { chunksAhead, type MessageFromChild } from './child-messages.js'
import type { ChildPool, TakenChild } from './child-pool.js'

/** 400 `invalid_input`: the tool cannot take the input. */
function invalidInput(code: string, message: string, position: InputPosition | null): DomainError {
  const where = position === null ? '' : ` (line ${position.line}, column ${position.column})`
  const sentence = `${message.replace(/\.$/, '')}${where}.`
  return new DomainError('invalid', 'invalid_input', sentence, { reason: code, ...position })
}

function incomparable(code: string, detail: string): DomainError {
  return validationFailed([{ pointer: code.startsWith('key_') ? '/key' : '', code, detail }])
}

/** 400 `validation_failed` with the place in the rules. */
function wrongContract(pointer: string, detail: string): DomainError {
  const errors = [{ pointer, code: 'invalid', detail }]
  return new DomainError('invalid', 'validation_failed', detail, { pointer, errors })
}

/** The last message of a job; `null` if it is done. */
type LastMessage = Exclude<MessageFromChild, { readonly kind: 'ready' | 'read' | 'note' | 'output' }>

function outcomeOf(message: LastMessage, job: Job): Error | null {
  switch (message.kind) {
    case 'done':
      return null
    case 'invalid':
      return invalidInput(message.code, message.message, message.position)
    case 'incomparable':
      return incomparable(message.code, message.message)
    case 'wrong-contract':
      return wrongContract(message.pointer, message.message)
    case 'too-large':
      return takesTooMuch(job)
    case 'failed':
      return new Error(`a job failed: ${message.stack}`)
    default:
      return message satisfies never
  }
}

/** On a busy machine a child may take this many times as long, until it has had its time on a processor. */
const patience = 4

/** Measures work, and calls `onLimit` at its limit, which says how many milliseconds more there may be. */
function createStopwatch(limitMs: number, onLimit: (spentMs: number) => number) {
  let limit = limitMs
  let spent = 0
  let since: number | null = null
  let timer: NodeJS.Timeout | undefined
  const spentMs = (): number => spent + (since === null ? 0 : performance.now() - since)
  const atLimit = (): void => {
    const moreMs = onLimit(spentMs())
    if (moreMs <= 0) return
    limit = spentMs() + moreMs
    timer = setTimeout(atLimit, moreMs)
  }
  return {
    start() {
      if (since !== null) return
      since = performance.now()
      timer = setTimeout(atLimit, Math.max(0, limit - spent))
    },
    stop() {
      spent = spentMs()
      since = null
      clearTimeout(timer)
    },
    spentMs,
  }
}

type Outcome = 'running' | 'done' | { readonly error: unknown }

/** A job in a child that it has to itself. */
class ChildRun {
  private readonly taken: TakenChild
  private readonly run: JobRun
  private readonly onNote: OnToolNote
  private readonly inputs: AsyncIterator<Uint8Array>[]
  private readonly stopwatch: ReturnType<typeof createStopwatch>
  private readonly arrived: Uint8Array[] = []
  private ahead = chunksAhead
  private isReading = false
  private outcome: Outcome = 'running'
  private wake = (): void => {}

  constructor(taken: TakenChild, run: JobRun) {
    this.taken = taken
    this.run = run
    this.onNote = boundedNotes(run.onNote)
    this.inputs = run.inputs.map((input) => input[Symbol.asyncIterator]())
    const { child } = taken
    const workMs = run.bounds.workMs + child.loadingMs
    const before = child.cpuMs()
    this.stopwatch = createStopwatch(workMs, (spentMs) => {
      const now = child.cpuMs()
      const usedMs = now === null || before === null ? workMs : now - before
      const moreMs = Math.min(workMs - usedMs, patience * workMs - spentMs)
      if (moreMs <= 0) this.end(takesTooMuch(run.job))
      return moreMs
    })
  }

  private end(error: unknown): void {
    if (this.outcome !== 'running') return
    this.outcome = error === null ? 'done' : { error }
    this.stopwatch.stop()
    this.taken.giveBack(this.stopwatch.spentMs(), error === null)
    this.wake()
  }

  private throwFailure(): void {
    if (typeof this.outcome === 'object') throw this.outcome.error
  }

  /** The child works unless it waits for input, or for room for its output. */
  private watch(): void {
    if (this.outcome !== 'running' || this.isReading || this.ahead === 0) this.stopwatch.stop()
    else this.stopwatch.start()
  }

  private async feed(): Promise<void> {
    this.isReading = true
    this.watch()
    const next = await this.inputs[0]?.next()
    if (next === undefined || next.done === true) this.inputs.shift()
    this.isReading = false
    if (this.outcome !== 'running') return
    this.watch()
    this.taken.child.send({
      kind: 'input',
      bytes: next === undefined || next.done === true ? null : next.value,
    })
  }

  private take(message: MessageFromChild | null): void {
    if (message === null) {
      // An abort of the process is the job's: V8 ends it when one large allocation does not fit.
      if (this.outcome === 'running') metrics.toolJobsAborted.series(this.run.job.kind).inc()
      this.end(takesTooMuch(this.run.job))
      return
    }
    if (message.kind === 'read') {
      this.feed().catch((error: unknown) => this.end(error))
    } else if (message.kind === 'note') this.onNote(message.note)
    else if (message.kind === 'output') {
      this.ahead -= 1
      this.arrived.push(message.bytes)
      this.watch()
      this.wake()
    } else if (message.kind !== 'ready') this.end(outcomeOf(message, this.run.job))
  }

  async *output(): Bytes {
    const { signal, job } = this.run
    const { child } = this.taken
    const onAbort = (): void => this.end(signal.reason)
    child.listen((message) => this.take(message))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    child.send({ kind: 'job', job })
    this.watch()
    try {
      for (;;) {
        const chunk = this.arrived.shift()
        if (chunk !== undefined) {
          yield chunk
          this.ahead += 1
          this.watch()
          if (this.outcome === 'running') child.send({ kind: 'more' })
        } else if (this.outcome === 'running')
          await new Promise<void>((resolve) => {
            this.wake = resolve
          })
        else break
      }
      this.throwFailure()
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.end(new Error('nobody takes the output'))
    }
  }
}

/** Runs each job in a child process of the pool. */
export function childRunner(pool: ChildPool): JobRunner {
  return {
    async *run(run) {
      run.signal.throwIfAborted()
      const taken = await pool.take(run.bounds)
      yield* new ChildRun(taken, run).output()
    },
  }
}
