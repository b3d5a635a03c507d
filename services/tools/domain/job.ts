import type { PlanName } from '#shared/core/plan.js'

/** One input; the output of the tool with this name. */
export interface ToolJob {
  readonly kind: 'tool'
  readonly name: string
  /** As the tool's schema takes them. */
  readonly options: Readonly<Record<string, unknown>>
}

/** Two inputs; JSON members that describe what differs. */
export interface ComparisonJob {
  readonly kind: 'comparison'
  readonly key: string | undefined
  readonly ignore: readonly string[]
  readonly numbers: 'exact' | 'value'
  readonly format: 'changes' | 'summary' | 'json-patch' | 'text'
  readonly values: 'json' | 'text'
  /** How many changes are listed at most. */
  readonly limit: number
  /** How CSV is read. */
  readonly quotes: 'strict' | 'lenient'
  readonly comment: string | undefined
  readonly skip: number
}

/** A contract, and what is judged by it. Without a candidate, only the contract is read. */
export interface ContractJob {
  readonly kind: 'contract'
  /** JSON; empty for none. */
  readonly rules: Uint8Array
  /** The inputs, in this order. */
  readonly inputs: readonly ('baseline' | 'candidate' | 'schema')[]
  /** How many breaks are listed at most. */
  readonly limit: number
}

/** What a child process runs. */
export type Job = ToolJob | ComparisonJob | ContractJob

/** How many inputs a job has. */
export function inputCount(job: Job): number {
  if (job.kind === 'contract') return job.inputs.length
  return job.kind === 'comparison' ? 2 : 1
}

/** Whose job it is. */
export interface Holder {
  /** The account, or the client IP of an anonymous one. */
  readonly id: string
  readonly plan: PlanName
  readonly anonymous: boolean
}

/** Jobs of a lane share its slots, so that those of another lane never wait for them. */
export type Lane = 'form' | 'small' | 'large'

/** The bounds of a run. */
export interface JobBounds {
  /**
   * Of work, in milliseconds: the time in which the child waits for input, or for room for its output, doesn't count; nor,
   * where that is known, the time in which it waits for a processor, unless it takes many times as long.
   */
  readonly workMs: number
  /** Until a run whose slot others wait for is ended, in milliseconds. */
  readonly heldMs: number
  /** Of the heap of V8. */
  readonly heapMegabytes: number
  /** Of memory besides the heap: the address space that the child may add to what it has when it is idle. */
  readonly addressMegabytes: number
}

/** Inputs up to this size are small. */
export const smallBytesMax = 262_144

/** Output may be this many times the input, but always that of 1 MB of input. */
const outputFactor = 8
const outputBytesMin = 8_000_000

/** The most bytes of output for this much input. */
export function outputBytesMax(inputBytes: number): number {
  return Math.max(outputBytesMin, outputFactor * inputBytes)
}

/** The lane of a job; input of unknown size is large. */
export function laneOf({ anonymous }: Holder, inputBytes: number | undefined): Lane {
  if (anonymous) return 'form'
  return inputBytes !== undefined && inputBytes <= smallBytesMax ? 'small' : 'large'
}

const bounds: Readonly<Record<Lane, JobBounds>> = {
  form: { workMs: 2_000, heldMs: 10_000, heapMegabytes: 96, addressMegabytes: 320 },
  small: { workMs: 5_000, heldMs: 10_000, heapMegabytes: 96, addressMegabytes: 320 },
  large: { workMs: 15_000, heldMs: 30_000, heapMegabytes: 192, addressMegabytes: 512 },
}

/** A comparison or judgement has to end soon: nothing of it is sent before its end. */
const comparisonWorkMs = 5_000

/** What a tool has to say about its output. */
export interface JobNote {
  readonly message: string
  /** In the input; `null` if it is about all of it. */
  readonly position: { readonly line: number; readonly column: number } | null
}

/** The bounds of a job of this lane. */
export function boundsOf(lane: Lane, { kind }: Job): JobBounds {
  const { workMs, ...rest } = bounds[lane]
  return { ...rest, workMs: kind === 'tool' ? workMs : Math.min(workMs, comparisonWorkMs) }
}
