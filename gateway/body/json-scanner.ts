import { actions, states, transitions } from '#engine/json-bytes/json-grammar.js'
import { jsonScanWasm } from './json-scan-wasm.js'

export type ScanStatus = 'scanning' | 'complete' | 'malformed' | 'too_deep'

/** Checks one JSON value that arrives in chunks, in constant memory. */
export interface JsonScanner {
  readonly status: ScanStatus
  /**
   * Scans `chunk` from `from` up to `to`, and returns where it stopped: at `to` while scanning, after a complete value,
   * or at the first byte that is not allowed.
   */
  scan(chunk: Uint8Array, from: number, to: number): number
  /** Ends the input, which completes a number at the very end. */
  end(): ScanStatus
  /** Prepares the scanner for another value. */
  reset(): void
}

/** An address or a size exported by `json-scan.wat`. */
interface WasmGlobal {
  readonly value: number
}

/** Explained in `json-scan.wat`. */
interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly registersAt: WasmGlobal
  readonly containersAt: WasmGlobal
  readonly pieceAt: WasmGlobal
  readonly pieceBytesMax: WasmGlobal
  readonly scan: (length: number, depthMax: number) => number
}

/** The part of WebAssembly that is used here; Node's types lack it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
}

/** In the order of the numbers in `json-scan.wat`. */
const statuses: readonly ScanStatus[] = ['scanning', 'complete', 'malformed', 'too_deep']

// One instance serves all scanners: each writes its state before a piece and reads it back afterwards.
// biome-ignore lint/plugin: scratch memory of WebAssembly, in which nothing lasts from one call to the next
const machine = new WebAssembly.Instance(new WebAssembly.Module(jsonScanWasm), { states, actions })
  .exports as ScannerExports
// biome-ignore lint/plugin: a view of that memory
const memory = new Uint8Array(machine.memory.buffer)
// biome-ignore lint/plugin: a view of that memory
const registers = new DataView(machine.memory.buffer, machine.registersAt.value)
const [statusAt, stateAt, depthAt] = [0, 4, 8]
const containersAt = machine.containersAt.value
const pieceAt = machine.pieceAt.value
const pieceBytesMax = machine.pieceBytesMax.value

// biome-ignore lint/plugin: a view of that memory
const table = new DataView(machine.memory.buffer)
for (const [index, next] of transitions.entries()) table.setUint16(2 * index, next, true)

/** The state of a scan between two pieces. */
interface Progress {
  status: ScanStatus
  state: number
  depth: number
  /** The kind of each open container. */
  readonly containers: Uint8Array
}

/** Scans at most `pieceBytesMax` bytes, and returns how many were consumed. */
function scanPiece(progress: Progress, piece: Uint8Array): number {
  const { containers, depth, state } = progress
  memory.set(piece, pieceAt)
  memory.set(containers.subarray(0, depth), containersAt)
  registers.setInt32(stateAt, state, true)
  registers.setInt32(depthAt, depth, true)
  const taken = machine.scan(piece.length, containers.length)
  progress.status = statuses[registers.getInt32(statusAt, true)] ?? 'malformed'
  progress.state = registers.getInt32(stateAt, true)
  progress.depth = registers.getInt32(depthAt, true)
  containers.set(memory.subarray(containersAt, containersAt + progress.depth))
  return taken
}

/**
 * A strict scanner of one value (RFC 8259 in valid UTF-8), including leading white space. It accepts exactly what
 * `JSON.parse` accepts after a fatal UTF-8 decoder, up to `depthMax` nested containers.
 * @param depthMax at most 32,752.
 */
export function createJsonScanner(depthMax: number): JsonScanner {
  const progress: Progress = {
    status: 'scanning',
    state: states.value,
    depth: 0,
    containers: new Uint8Array(Math.min(depthMax, pieceAt - containersAt)),
  }
  return new WasmJsonScanner(progress)
}

class WasmJsonScanner implements JsonScanner {
  private readonly progress: Progress

  constructor(progress: Progress) {
    this.progress = progress
  }

  get status(): ScanStatus {
    return this.progress.status
  }

  scan(chunk: Uint8Array, from: number, to: number): number {
    const { progress } = this
    let at = from
    while (at < to && progress.status === 'scanning')
      at += scanPiece(progress, chunk.subarray(at, Math.min(to, at + pieceBytesMax)))
    return at
  }

  end(): ScanStatus {
    const { status, depth, state } = this.progress
    if (status === 'scanning')
      this.progress.status =
        depth === 0 && state >= states.zero && state <= states.exponent ? 'complete' : 'malformed'
    return this.progress.status
  }

  reset(): void {
    this.progress.status = 'scanning'
    this.progress.state = states.value
    this.progress.depth = 0
  }
}
