import { quote, stringBetween } from '../../json-bytes/json-bytes.js'
import { states } from '../../json-bytes/json-grammar.js'
import { JsonTokenScanner, tokenBytesMax } from '../../json-bytes/json-token-scanner.js'
import { rewriteJson } from '../json/rewrite-json.js'
import type { Samples } from './sample-options.js'
import { formatsOf, formatUnitsMax } from './string-formats.js'
import {
  addValue,
  countShapes,
  emptyShape,
  membersMax,
  toDictionary,
  type ValueShape,
} from './value-shape.js'

/** Of all values together: what comes later is not described. */
const shapesMax = 20_000
/** A schema is twice as deep as what it describes, and JSON at most 512. */
const depthMax = 200

/** A container that is open; without a shape, what it holds is not described. */
interface Level {
  readonly shape: ValueShape | null
  readonly isObject: boolean
  /** The number of the object. */
  readonly object: number
  /** Of the member whose key came last. */
  member: ValueShape | null
}

const letterN = 0x6e
const lastOfNumbers = 0x39

/** A longer token may not be whole. */
function isWhole(start: number, end: number): boolean {
  return end - start < tokenBytesMax
}

function isInteger(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte === 0x2e || (byte | 0x20) === 0x65) return false
  }
  return isWhole(start, end)
}

/** Merges what values have in common, as they come; several values are on a line each. */
class Inference extends JsonTokenScanner {
  readonly root = emptyShape()
  private readonly levels: Level[] = []
  private objectCount = 0
  private shapes = 1

  protected override endLine(): void {
    this.state = states.value
  }

  protected override open(isObject: boolean): void {
    const shape = this.place()
    if (shape !== null) shape[isObject ? 'objects' : 'arrays'] += 1
    this.objectCount += 1
    this.levels.push({ shape, isObject, object: this.objectCount, member: null })
  }

  protected override close(): void {
    this.levels.pop()
  }

  protected override key(bytes: Uint8Array, start: number, end: number): void {
    const level = this.levels.at(-1)
    if (level?.shape == null) return
    // What could not be described exactly is a key like any other.
    if (!isWhole(start, end)) this.makeDictionary(level.shape)
    const key = isWhole(start, end) ? stringBetween(bytes, start, end) : ''
    level.member = this.memberOf(level.shape, key, level.object)
  }

  protected override scalar(bytes: Uint8Array, start: number, end: number): void {
    const shape = this.place()
    if (shape === null) return
    const first = bytes[start] as number
    if (first === quote) this.string(shape, bytes, start, end)
    else if (first <= lastOfNumbers) shape[isInteger(bytes, start, end) ? 'integers' : 'decimals'] += 1
    else shape[first === letterN ? 'nulls' : 'booleans'] += 1
  }

  private string(shape: ValueShape, bytes: Uint8Array, start: number, end: number): void {
    shape.strings += 1
    if (shape.formats === 0 && shape.values === null) return
    const text = end - start <= 3 * formatUnitsMax ? stringBetween(bytes, start, end) : null
    if (text === null || text.length > formatUnitsMax) {
      shape.formats = 0
      shape.values = null
      return
    }
    shape.formats = formatsOf(text, shape.formats)
    addValue(shape, text)
  }

  /** The shape of the value that comes; `null` if it is not described. */
  private place(): ValueShape | null {
    const level = this.levels.at(-1)
    if (level === undefined) return this.root
    if (level.isObject) return level.member
    const { shape } = level
    if (shape !== null && shape.items === null) shape.items = this.newShape(shape)
    return shape?.items ?? null
  }

  private memberOf(shape: ValueShape, key: string, object: number): ValueShape | null {
    const known = shape.members?.get(key)
    if (known !== undefined) {
      if (known.lastObject !== object) known.objects += 1
      known.lastObject = object
      return known.shape
    }
    if (shape.members !== null && (shape.members.size === membersMax || this.shapes >= shapesMax))
      this.makeDictionary(shape)
    if (shape.members === null) {
      shape.anyMember ??= this.newShape(shape)
      return shape.anyMember
    }
    const member = this.newShape(shape)
    if (member !== null) shape.members.set(key, { shape: member, objects: 1, lastObject: object })
    return member
  }

  private makeDictionary(shape: ValueShape): void {
    if (shape.members === null) return
    const before = countShapes(shape)
    toDictionary(shape)
    this.shapes -= before - countShapes(shape)
  }

  /** A shape in this one, unless there are too many, or too deep. */
  private newShape(parent: ValueShape): ValueShape | null {
    if (this.shapes >= shapesMax || this.levels.length > depthMax) {
      parent.isIncomplete = true
      return null
    }
    this.shapes += 1
    return emptyShape()
  }
}

/** What the values of an input have in common: of one document, of the items of its array, or of its lines. */
export async function inferShape(input: AsyncIterable<Uint8Array>, samples: Samples): Promise<ValueShape> {
  const array = samples === 'lines' ? rewriteJson(input, { indent: null, fromLines: true }) : input
  const compact = rewriteJson(array, { indent: null, toLines: samples !== 'document' })
  const inference = new Inference()
  for await (const chunk of compact) inference.scan(chunk)
  inference.end()
  return inference.root
}
