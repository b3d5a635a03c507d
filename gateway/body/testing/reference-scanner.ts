import { actions, plainInString, states, transitions } from './json-grammar.js'

/** How far a scan has come. */
export type ScanStatus = 'scanning' | 'complete' | 'malformed' | 'too_deep'

/** Checks one JSON value that arrives in chunks. Its memory does not grow with the value. */
export interface JsonScanner {
  readonly status: ScanStatus
  /**
   * Scans `chunk` from `from` up to `to` and returns where it stopped: at `to` while scanning, behind the value when it
   * is complete, at the byte that cannot stand there when it is refused.
   */
  scan(chunk: Uint8Array, from: number, to: number): number
  /** Says that no more bytes come: only this completes a number that nothing follows. */
  end(): ScanStatus
  /** Makes it ready for another value. */
  reset(): void
}

const { done, string, keyString, value, key, firstKey, firstElement, after, zero, exponent } = states
const { fail, comma, openObject, openArray, closeObject, closeArray, valueEnd, numberEnd } = actions
const inObject = 1
const inArray = 0

/** Where a scan stands between two chunks. */
interface Progress {
  status: ScanStatus
  state: number
  depth: number
  /** The kind of each open container. */
  readonly containers: Uint8Array
}

// The two functions below run for every byte or every token. They stand at the level of the module and take their state
// as a parameter, because the engine then knows every name outside them to be constant, which halves their time.

/** The state after an action: `done` behind the value, `fail` with the status that says why. */
function perform(progress: Progress, action: number): number {
  const { containers, depth } = progress
  switch (action) {
    case comma:
      return containers[depth - 1] === inObject ? key : value
    case openObject:
    case openArray:
      if (depth === containers.length) {
        progress.status = 'too_deep'
        return fail
      }
      containers[depth] = action === openObject ? inObject : inArray
      progress.depth = depth + 1
      return action === openObject ? firstKey : firstElement
    case closeObject:
    case closeArray:
      if (containers[depth - 1] !== (action === closeObject ? inObject : inArray)) break
      progress.depth = depth - 1
      return depth === 1 ? done : after
    case valueEnd:
    case numberEnd:
      return depth === 0 ? done : after
  }
  progress.status = 'malformed'
  return fail
}

/** Without a container around it only a number can be followed by the bytes of these actions. */
function isBehindNumber(action: number): boolean {
  return action === numberEnd || action === comma || action === closeObject || action === closeArray
}

function scanChunk(progress: Progress, chunk: Uint8Array, from: number, to: number): number {
  let { state } = progress
  let at = from
  while (at < to) {
    let next = transitions[state | (chunk[at] ?? 0)] ?? fail
    if (next > done) {
      if (progress.depth === 0 && isBehindNumber(next)) {
        progress.status = 'complete'
        return at
      }
      next = perform(progress, next)
      if (next === fail) return at
      if (next === done) {
        progress.status = 'complete'
        return at + 1
      }
    }
    state = next
    at++
    if (state === string || state === keyString) {
      while (at < to && plainInString[chunk[at] ?? 0] === 1) at++
    }
  }
  progress.state = state
  return at
}

/**
 * A strict scanner of one value (RFC 8259 in valid UTF-8), white space before it included. It accepts what `JSON.parse`
 * behind a fatal UTF-8 decoder accepts, unless more than `depthMax` containers are nested.
 */
export function createJsonScanner(depthMax: number): JsonScanner {
  const progress: Progress = {
    status: 'scanning',
    state: value,
    depth: 0,
    containers: new Uint8Array(depthMax),
  }
  return {
    get status() {
      return progress.status
    },
    scan: (chunk, from, to) => (progress.status === 'scanning' ? scanChunk(progress, chunk, from, to) : from),
    end() {
      if (progress.status === 'scanning') {
        const { depth, state } = progress
        progress.status = depth === 0 && state >= zero && state <= exponent ? 'complete' : 'malformed'
      }
      return progress.status
    },
    reset() {
      progress.status = 'scanning'
      progress.state = value
      progress.depth = 0
    },
  }
}
