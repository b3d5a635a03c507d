import { closeBrace, colon, comma, openBrace, quote } from '#engine/json-bytes/json-bytes.js'
import { pointerTo } from '#engine/json-pointer.js'
import type { FieldError } from '#libs/core/domain-error.js'
import { type DataLimit, dataTooLarge } from '#shared/core/data-size.js'
import { createByteBuffer } from './body-bytes.js'
import {
  depthMax,
  endsTooEarly,
  envelopeBytesMax,
  envelopeTooLarge,
  malformedJson,
  notAnObject,
  tooDeep,
} from './body-errors.js'
import { createJsonScanner } from './json-scanner.js'

/** A field that is not parsed: the text of one valid JSON value, as sent. */
export interface RawJson {
  readonly text: string
}

/** How the value of a member is handled: kept as a field, passed through as data, or only checked. */
export type MemberKind = 'field' | 'data' | 'checked-data' | 'checked'

/** The members of an envelope that have been read so far. */
export interface EnvelopeMembers {
  /** Has no prototype. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly problems: readonly FieldError[]
  /** Whether a member `data` has started. */
  dataSeen(): boolean
  /** The JSON Pointer of the current member. */
  pointer(): string
  /** Starts the member with this key, a JSON string; returns how to handle its value. */
  begin(keyText: string): MemberKind
  /** Records that the value of `data` is not an object. */
  refuseData(): void
  /** Sets the value of the current field from valid JSON. */
  setField(valueText: string): void
}

/** A body has room for thousands of problems; the response does not. */
const problemsMax = 100

/** The allowed fields besides `data`. */
export interface FieldNames {
  readonly fields: ReadonlySet<string>
  /** The fields whose values are kept as `RawJson` instead of being parsed. */
  readonly rawFields?: ReadonlySet<string>
}

function createEnvelopeMembers(names: FieldNames, takesData: boolean): EnvelopeMembers {
  const fields: Record<string, unknown> = Object.create(null)
  const problems: FieldError[] = []
  const seen = new Set<string>()
  let key = ''
  let pointer = ''

  function report(code: string, detail: string): void {
    if (problems.length < problemsMax) problems.push({ pointer, code, detail })
  }

  return {
    fields,
    problems,
    dataSeen: () => takesData && seen.has('data'),
    pointer: () => pointer,
    begin(keyText) {
      key = String(JSON.parse(keyText))
      pointer = pointerTo([key])
      const isData = takesData && key === 'data'
      const known = isData || names.fields.has(key)
      const again = seen.has(key)
      seen.add(key)
      if (!known && !again)
        report('unknown_field', `Unknown field ${JSON.stringify(key)}. Check its spelling or leave it out.`)
      if (known && again) report('duplicate_field', `${key} appears more than once; send it once.`)
      const isUsed = known && !again
      if (isData) return isUsed ? 'data' : 'checked-data'
      return isUsed ? 'field' : 'checked'
    },
    refuseData: () => report('not_an_object', 'data must be a JSON object.'),
    setField(valueText) {
      const raw: RawJson = { text: valueText }
      fields[key] = names.rawFields?.has(key) === true ? raw : JSON.parse(valueText)
    },
  }
}

/** The allowed content of a body. */
export interface EnvelopeRules extends FieldNames {
  /** `null` if the body must not have `data`. */
  readonly data: DataLimit | null
  /** Whether the whole body is the value of `data`. */
  readonly dataAlone?: boolean
}

/** A complete body except the bytes of `data`. */
export interface Envelope {
  /** Parsed; has no prototype. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Whether the body has a member `data`, valid or not. */
  readonly dataSeen: boolean
  /** Unknown and duplicate fields, and `data` that is not an object. */
  readonly problems: readonly FieldError[]
}

/** Scans a body that arrives in chunks. */
export interface EnvelopeScanner {
  /** The problems found so far; grows with each `push`. */
  readonly problems: readonly FieldError[]
  /**
   * Scans the next bytes, and returns a view of those that belong to the value of `data`, or `null`.
   * @throws DomainError `malformed_json` or `data_too_large` at the first byte that proves it.
   */
  push(chunk: Uint8Array): Uint8Array | null
  /**
   * Ends the input.
   * @throws DomainError `malformed_json` if the body is incomplete.
   */
  finish(): Envelope
}

type ScannerState =
  | 'start'
  | 'first-key'
  | 'key'
  | 'in-key'
  | 'colon'
  | 'value'
  | 'in-value'
  | 'after'
  | 'end'

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/**
 * Scans one body as strict JSON. `data` may be anywhere in it and is never parsed; memory is bounded by the size of the
 * envelope. Errors do not depend on how the body is split into chunks.
 */
export function createEnvelopeScanner(rules: EnvelopeRules): EnvelopeScanner {
  const members = createEnvelopeMembers(rules, rules.data !== null)
  const scanner = createJsonScanner(depthMax)
  const kept = createByteBuffer()
  const alone = rules.dataAlone === true
  let state: ScannerState = alone ? 'value' : 'start'
  let kind: MemberKind = alone ? members.begin('"data"') : 'checked'
  let offset = 0
  let envelopeBytes = 0
  let dataBytes = 0

  function spendEnvelope(count: number): void {
    envelopeBytes += count
    if (envelopeBytes > envelopeBytesMax) throw envelopeTooLarge(rules.data !== null)
  }

  /**
   * Consumes one byte between keys and values; returns false without consuming it if it begins a key or a value.
   */
  function takeStructure(byte: number, at: number): boolean {
    if (isSpace(byte)) return true
    if (state === 'start' && byte !== openBrace) throw notAnObject(offset + at)
    if ((state === 'first-key' || state === 'key') && byte === quote) {
      state = 'in-key'
      return false
    }
    if (state === 'value') {
      state = 'in-value'
      if (kind === 'data' && byte !== openBrace) {
        members.refuseData()
        kind = 'checked-data'
      }
      return false
    }
    const next = stateAfter(state, byte)
    if (next === null) throw malformedJson(offset + at)
    state = next
    return true
  }

  /** Continues a key or value, at most one byte beyond `room`, and returns where it stopped. */
  function scanOn(chunk: Uint8Array, at: number, room: number): number {
    const stop = scanner.scan(chunk, at, Math.min(chunk.length, at + room + 1))
    if (scanner.status === 'malformed') throw malformedJson(offset + stop)
    if (scanner.status === 'too_deep') throw tooDeep(members.pointer(), offset + stop)
    return stop
  }

  function takeEnvelope(chunk: Uint8Array, at: number, keep: boolean): number {
    const stop = scanOn(chunk, at, envelopeBytesMax - envelopeBytes)
    spendEnvelope(stop - at)
    if (keep) kept.append(chunk.subarray(at, stop))
    return stop
  }

  function takeData(data: DataLimit, chunk: Uint8Array, at: number): number {
    const stop = scanOn(chunk, at, data.bytesMax - dataBytes)
    dataBytes += stop - at
    if (dataBytes > data.bytesMax) throw dataTooLarge(data)
    return stop
  }

  function endKey(): void {
    kind = members.begin(kept.view().toString())
    state = 'colon'
  }

  function endValue(): void {
    if (kind === 'field') members.setField(kept.view().toString())
    state = alone ? 'end' : 'after'
  }

  function takeToken(chunk: Uint8Array, at: number): number {
    const inKey = state === 'in-key'
    const isData = !inKey && (kind === 'data' || kind === 'checked-data')
    const stop =
      isData && rules.data !== null
        ? takeData(rules.data, chunk, at)
        : takeEnvelope(chunk, at, inKey || kind === 'field')
    if (scanner.status === 'complete') {
      if (inKey) endKey()
      else endValue()
      scanner.reset()
      kept.clear()
    }
    return stop
  }

  return {
    problems: members.problems,
    push(chunk) {
      let data: Uint8Array | null = null
      let at = 0
      while (at < chunk.length) {
        if (state === 'in-key' || state === 'in-value') {
          const passesThrough = state === 'in-value' && kind === 'data'
          const stop = takeToken(chunk, at)
          if (passesThrough) data = chunk.subarray(at, stop)
          at = stop
        } else if (takeStructure(chunk[at] ?? 0, at)) {
          at++
          spendEnvelope(1)
        }
      }
      offset += chunk.length
      return data
    },
    finish() {
      if (state !== 'end') throw endsTooEarly(offset)
      const { fields, problems } = members
      return { fields, dataSeen: members.dataSeen(), problems }
    },
  }
}

/** The next state after a byte of structure; `null` if the byte is not allowed. */
function stateAfter(state: ScannerState, byte: number): ScannerState | null {
  switch (state) {
    case 'start':
      return byte === openBrace ? 'first-key' : null
    case 'first-key':
      return byte === closeBrace ? 'end' : null
    case 'colon':
      return byte === colon ? 'value' : null
    case 'after':
      return byte === comma ? 'key' : byte === closeBrace ? 'end' : null
    default:
      return null
  }
}
