import { type JsonType, typeOf } from '#engine/json-bytes/json-bytes.js'
import { createByteBuffer } from '../body/body-bytes.js'
import type { JsonPointer } from './json-pointer.js'
import { pointerLocateWasm } from './pointer-locate-wasm.js'

/** The position of a value in its document, in bytes; a string includes its quotes. */
export interface LocatedValue {
  readonly kind: JsonType
  readonly offset: number
  readonly length: number
}

/** Finds one value of a document that arrives in chunks. */
export interface PointerLocator {
  push(chunk: Uint8Array): void
  /** Ends the document; returns the value, or `null` if the pointer names nothing. */
  finish(): LocatedValue | null
  /** The bytes of the value that `finish` has returned; `null` if they exceed `keptBytesMax`. */
  bytes(): Uint8Array | null
}

/** Receives the bytes of a located value as they arrive. */
export interface ValueSink {
  /** A later duplicate key begins: the value so far does not count. */
  restart(): void
  push(bytes: Uint8Array): void
}

/** An address or a size exported by `pointer-locate.wat`. */
interface Constant {
  readonly value: number
}

interface LocatorExports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly pieceAt: Constant
  readonly pieceBytesMax: Constant
  readonly stepsAt: Constant
  readonly locate: (length: number) => void
}

/** The part of WebAssembly that is used here; Node's types lack it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

const code = new WebAssembly.Module(pointerLocateWasm)
/** Explained in `pointer-locate.wat`. */
const register = {
  mode: 0,
  depth: 4,
  levels: 8,
  matches: 12,
  steps: 36,
  opened: 40,
  found: 44,
  base: 48,
  openedAt: 56,
  foundAt: 64,
  foundLength: 72,
} as const
const registerBytes = 96
const stepBytes = 32
const pageBytes = 65_536
const indexMax = 0x7fff_ffff

/** The state of a locator while another one uses the instance. */
interface LocatorState {
  readonly registers: Uint8Array
  /** The steps of the pointer, and their UTF-16 units. */
  readonly steps: Uint8Array
}

/** One WebAssembly instance that locators share: it swaps their states when another one continues. */
function createMachine() {
  const machine = new WebAssembly.Instance(code).exports as LocatorExports
  const stepsAt = machine.stepsAt.value
  let memory = new Uint8Array(machine.memory.buffer)
  let view = new DataView(machine.memory.buffer)
  let current: LocatorState | null = null

  const makeRoom = (bytes: number): void => {
    const missing = stepsAt + bytes - memory.length
    if (missing <= 0) return
    machine.memory.grow(Math.ceil(missing / pageBytes))
    memory = new Uint8Array(machine.memory.buffer)
    view = new DataView(machine.memory.buffer)
  }

  return {
    stepsAt,
    pieceBytesMax: machine.pieceBytesMax.value,
    /** Loads the state of a locator, and returns a view of its registers. */
    enter(state: LocatorState): DataView {
      if (current === state) return view
      if (current !== null) {
        current.registers.set(memory.subarray(0, registerBytes))
        current.steps.set(memory.subarray(stepsAt, stepsAt + current.steps.length))
      }
      makeRoom(state.steps.length)
      memory.set(state.registers, 0)
      memory.set(state.steps, stepsAt)
      current = state
      return view
    },
    locate(piece: Uint8Array): void {
      memory.set(piece, machine.pieceAt.value)
      machine.locate(piece.length)
    },
  }
}

type Machine = ReturnType<typeof createMachine>

function stepsOf(pointer: JsonPointer, stepsAt: number): Uint8Array {
  const units = pointer.map((step) => Buffer.from(step, 'utf16le'))
  const steps = new Uint8Array(units.reduce((sum, { length }) => sum + length, pointer.length * stepBytes))
  const table = new DataView(steps.buffer)
  let unitsAt = pointer.length * stepBytes
  for (const [index, step] of pointer.entries()) {
    const wanted = /^(0|[1-9]\d*)$/.test(step) && Number(step) <= indexMax ? Number(step) : -1
    table.setInt32(index * stepBytes, stepsAt + unitsAt, true)
    table.setInt32(index * stepBytes + 4, step.length, true)
    table.setInt32(index * stepBytes + 8, wanted, true)
    const bytes = units[index] ?? new Uint8Array()
    steps.set(bytes, unitsAt)
    unitsAt += bytes.length
  }
  return steps
}

function initialState(pointer: JsonPointer, { stepsAt }: Machine): LocatorState {
  const registers = new Uint8Array(registerBytes)
  const table = new DataView(registers.buffer)
  table.setInt32(register.matches, 1, true)
  table.setInt32(register.steps, pointer.length, true)
  return { registers, steps: stepsOf(pointer, stepsAt) }
}

/** Keeps the bytes of the open or last found value, up to `bytesMax`. */
function createValueBytes(bytesMax: number, sink: ValueSink | null) {
  const kept = createByteBuffer()
  let tooMany = false
  return {
    /** Call after each piece with the known extent of the value; `base` is the offset of the piece. */
    add(piece: Uint8Array, base: number, valueAt: number, valueEnd: number): void {
      if (valueEnd <= base) return
      if (valueAt >= base) {
        kept.clear()
        tooMany = false
        sink?.restart()
      }
      const part = piece.subarray(Math.max(0, valueAt - base), valueEnd - base)
      sink?.push(part)
      tooMany ||= kept.length + part.length > bytesMax
      if (tooMany) kept.clear()
      else kept.append(part)
    },
    bytes: (): Uint8Array | null => (tooMany ? null : kept.view()),
  }
}

function createLocator(
  machine: Machine,
  pointer: JsonPointer,
  value: ReturnType<typeof createValueBytes>,
): PointerLocator {
  const state = initialState(pointer, machine)
  let offset = 0

  const locatePiece = (piece: Uint8Array, view: DataView): void => {
    view.setFloat64(register.base, offset, true)
    machine.locate(piece)
    const end = offset + piece.length
    if (view.getInt32(register.opened, true) !== 0)
      value.add(piece, offset, view.getFloat64(register.openedAt, true), end)
    else if (view.getInt32(register.found, true) !== 0) {
      const foundAt = view.getFloat64(register.foundAt, true)
      value.add(piece, offset, foundAt, foundAt + view.getFloat64(register.foundLength, true))
    }
    offset = end
  }

  return {
    push(chunk) {
      const view = machine.enter(state)
      for (let at = 0; at < chunk.length; at += machine.pieceBytesMax)
        locatePiece(chunk.subarray(at, at + machine.pieceBytesMax), view)
    },
    finish() {
      const view = machine.enter(state)
      // Only a number or literal that is the whole document can still be open.
      const opened = view.getInt32(register.opened, true)
      if (opened !== 0) {
        const openedAt = view.getFloat64(register.openedAt, true)
        return { kind: typeOf(opened), offset: openedAt, length: offset - openedAt }
      }
      const found = view.getInt32(register.found, true)
      if (found === 0) return null
      return {
        kind: typeOf(found),
        offset: view.getFloat64(register.foundAt, true),
        length: view.getFloat64(register.foundLength, true),
      }
    },
    bytes: value.bytes,
  }
}

/**
 * Creates a locator of the value that a pointer names in valid JSON. Of duplicate keys, the last one counts, as in
 * `JSON.parse`. The locator must see the whole document. Its memory is bounded by the length of the pointer and by
 * `keptBytesMax`, up to which it keeps the value. `sink` gets the bytes of the value as they arrive.
 */
export type CreatePointerLocator = (
  pointer: JsonPointer,
  keptBytesMax?: number,
  sink?: ValueSink | null,
) => PointerLocator

/** All locators share one WebAssembly instance. */
export function createPointerLocators(): CreatePointerLocator {
  const machine = createMachine()
  return (pointer, keptBytesMax = 0, sink = null) =>
    createLocator(machine, pointer, createValueBytes(keptBytesMax, sink))
}
