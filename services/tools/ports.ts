import type { Job, JobBounds, JobNote } from './domain/job.js'

/** Bytes that are pulled chunk by chunk. */
export type Bytes = AsyncGenerator<Uint8Array, void, undefined>

/** One run. */
export interface JobRun {
  readonly job: Job
  readonly bounds: JobBounds
  /** The inputs, one after the other; each is read only as fast as the job takes it. */
  readonly inputs: readonly AsyncIterable<Uint8Array>[]
  /** Takes what the tool has to say, before its first output. */
  readonly onNote: (note: JobNote) => void
  /** Aborting it ends the run. */
  readonly signal: AbortSignal
}

/** Runs jobs where nothing that they do can end or slow down this process. */
export interface JobRunner {
  /**
   * The output of a job.
   * @throws DomainError 400 `invalid_input` or `validation_failed`, 413 `tool_too_large` or `compare_too_large`; what
   * the inputs throw; the reason of the signal.
   */
  run(run: JobRun): Bytes
}

/** Output on its way from a job to its reader. */
export interface Spool {
  /** Keeps a chunk. @throws DomainError `unavailable` if there is no room. */
  write(chunk: Uint8Array): Promise<void>
  /** Nothing more is written; with an error, the reader gets it after what was written. */
  end(error?: unknown): void
  /** What was written, as soon as it was. */
  read(): Bytes
  /** Drops everything. */
  close(): Promise<void>
}

/** Where outputs wait for slow readers. */
export interface Spools {
  open(): Spool
}

/** What the service needs from outside. */
export interface ToolsPorts {
  readonly runner: JobRunner
  readonly spools: Spools
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** Calls `act` after this many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, act: () => void) => () => void
}
