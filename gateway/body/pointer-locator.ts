import { type JsonType, typeOf } from '#libs/json-bytes/json-bytes.js'
import { createByteBuffer } from './byte-buffer.js'
import type { JsonPointer } from './json-pointer.js'
import { pointerLocateWasm } from './pointer-locate-wasm.js'

/** Where a value stands in its document, in bytes; a string with its quotes. */
export interface LocatedValue {
  readonly kind: JsonType
  readonly offset: number
  readonly length: number
}

/** Finds one value of a document that arrives in chunks. */
export interface PointerLocator {
  push(chunk: Uint8Array): void
  /** Says that the document is complete and returns the value, or `null` when the pointer names nothing. */
  finish(): LocatedValue | null
  /** The bytes of the value that `finish` has returned, or `null` when there are more than were to be kept. */
  bytes(): Uint8Array | null
}

/** Takes the bytes of the value that is open, or was found last. */
export interface ValueSink {
  /** Another value begins: the one before does not count. */
  restart(): void
  push(bytes: Uint8Array): void
}

/** A number that `pointer-locate.wat` exports. */
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

/** As much of WebAssembly as is used here: the types of Node leave it out. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

const code = new WebAssembly.Module(pointerLocateWasm)
/** The registers of `pointer-locate.wat`, where each is explained. */
const register = {
  mode: 0,
  depth: 4,
  levels: 8,
  matches: 12,
  steps: 36,
  begun: 40,
  found: 44,
  base: 48,
  begunAt: 56,
  foundAt: 64,
  foundLength: 72,
} as const
const registerBytes = 96
const stepBytes = 32
const pageBytes = 65_536
const indexMax = 0x7fff_ffff

/** What the machine knows of one locator while another has its turn. */
interface Saved {
  readonly registers: Uint8Array
  /** The steps of the pointer and their units. */
  readonly steps: Uint8Array
}

/** A machine that locators take turns in: what it knows of one is taken out when another has its turn. */
function createMachine() {
  const machine = new WebAssembly.Instance(code).exports as LocatorExports
  const stepsAt = machine.stepsAt.value
  let memory = new Uint8Array(machine.memory.buffer)
  let view = new DataView(machine.memory.buffer)
  let inside: Saved | null = null

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
    /** Lets this one have its turn, and gives its registers. */
    enter(saved: Saved): DataView {
      if (inside === saved) return view
      if (inside !== null) {
        inside.registers.set(memory.subarray(0, registerBytes))
        inside.steps.set(memory.subarray(stepsAt, stepsAt + inside.steps.length))
      }
      makeRoom(saved.steps.length)
      memory.set(saved.registers, 0)
      memory.set(saved.steps, stepsAt)
      inside = saved
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

function savedFor(pointer: JsonPointer, { stepsAt }: Machine): Saved {
  const registers = new Uint8Array(registerBytes)
  const table = new DataView(registers.buffer)
  table.setInt32(register.matches, 1, true)
  table.setInt32(register.steps, pointer.length, true)
  return { registers, steps: stepsOf(pointer, stepsAt) }
}

/** Keeps the bytes of the value that is open, or was found last, while they are few enough. */
function createValueBytes(bytesMax: number, sink: ValueSink | null) {
  const kept = createByteBuffer()
  let tooMany = false
  return {
    /** Told of each piece, and of what is known of the value behind it. */
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
  const saved = savedFor(pointer, machine)
  let offset = 0

  const locatePiece = (piece: Uint8Array, view: DataView): void => {
    view.setFloat64(register.base, offset, true)
    machine.locate(piece)
    const end = offset + piece.length
    if (view.getInt32(register.begun, true) !== 0)
      value.add(piece, offset, view.getFloat64(register.begunAt, true), end)
    else if (view.getInt32(register.found, true) !== 0) {
      const foundAt = view.getFloat64(register.foundAt, true)
      value.add(piece, offset, foundAt, foundAt + view.getFloat64(register.foundLength, true))
    }
    offset = end
  }

  return {
    push(chunk) {
      const view = machine.enter(saved)
      for (let at = 0; at < chunk.length; at += machine.pieceBytesMax)
        locatePiece(chunk.subarray(at, at + machine.pieceBytesMax), view)
    },
    finish() {
      const view = machine.enter(saved)
      // Only a number or literal that is the whole document can still be open.
      const begun = view.getInt32(register.begun, true)
      if (begun !== 0) {
        const begunAt = view.getFloat64(register.begunAt, true)
        return { kind: typeOf(begun), offset: begunAt, length: offset - begunAt }
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
 * Makes locators of the value that a pointer names in a document that is known to be valid JSON; of duplicate keys the
 * last one counts, as in `JSON.parse`. A locator must see the whole document; its memory is bounded by the length of the
 * pointer and by `keptBytesMax`, the size up to which it keeps the value. A sink gets the value's bytes as they come.
 */
export type CreatePointerLocator = (
  pointer: JsonPointer,
  keptBytesMax?: number,
  sink?: ValueSink | null,
) => PointerLocator

/** Locators that take turns in one machine. */
export function createPointerLocators(): CreatePointerLocator {
  const machine = createMachine()
  return (pointer, keptBytesMax = 0, sink = null) =>
    createLocator(machine, pointer, createValueBytes(keptBytesMax, sink))
}
