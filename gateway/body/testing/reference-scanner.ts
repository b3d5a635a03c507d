import { actions, states, transitions } from '#engine/json-bytes/json-grammar.js'
import type { JsonScanner, ScanStatus } from '../json-scanner.js'

const { done, string, keyString, value, key, firstKey, firstElement, after, zero, exponent } = states
const { fail, comma, openObject, openArray, closeObject, closeArray, valueEnd, numberEnd } = actions
const inObject = 1
const inArray = 0

/** The state of a scan between chunks. */
interface Progress {
  status: ScanStatus
  state: number
  depth: number
  /** The kind of each open container. */
  readonly containers: Uint8Array
}

/** 1 for bytes that keep the scanner in the body of a string: ASCII except control characters, `"` and `\`. */
const plainInString: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte < 0x80 && byte !== 0x22 && byte !== 0x5c ? 1 : 0,
)

/** The state after an action: `done` after the value, or `fail` with a status that says why. */
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

/** Outside any container, the bytes of these actions can only follow a number. */
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

/** A byte-by-byte scanner in TypeScript, with which that of the gateway is compared. */
export function createReferenceScanner(depthMax: number): JsonScanner {
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
