import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  literalEnd,
  openBrace,
  openBracket,
  quote,
  stringBetween,
  stringEnd,
  textBetween,
} from '../../json-bytes/json-bytes.js'
import { pointerTo } from '../../json-pointer.js'
import { compactJson } from '../json/rewrite-json.js'
import { OutputBuffer } from '../output-buffer.js'
import { ToolInputError } from '../tool-input-error.js'
import { blockScalar, flowScalar, quotedScalar } from './yaml-scalar.js'

interface WriteYamlOptions {
  readonly indent: '2' | '4' | '8'
  readonly duplicate_keys: 'refuse' | 'keep'
  readonly multiline: 'blocks' | 'quotes'
}

/** A container that is open. */
interface Level {
  readonly isObject: boolean
  readonly indent: string
  /** `null` where keys may come twice. */
  readonly keys: Set<string> | null
  /** The key or number of the last member. */
  step: string | number
}

/** Longer keys need a line of their own (YAML 1.2.2, section 7.4.2). */
const keyCharactersMax = 1_000

/** Writes compact JSON as YAML. */
class YamlWriter {
  private readonly bytes: Uint8Array
  private readonly options: WriteYamlOptions
  private readonly levels: Level[] = []
  private readonly out = new OutputBuffer()
  private at = 0
  /** Whether the next line continues what a dash or an explicit key began. */
  private isInline = true

  constructor(bytes: Uint8Array, options: WriteYamlOptions) {
    this.bytes = bytes
    this.options = options
  }

  *write(): Generator<Uint8Array> {
    while (this.at < this.bytes.length) {
      this.step()
      yield* this.out.takeFull()
    }
    yield* this.out.takeAll()
  }

  private step(): void {
    const byte = this.bytes[this.at]
    const level = this.levels.at(-1)
    if (byte === comma) this.at += 1
    else if (byte === closeBrace || byte === closeBracket) {
      this.levels.pop()
      this.at += 1
    } else if (level === undefined) this.value('', '')
    else if (level.isObject) this.member(level)
    else {
      level.step = Number(level.step) + 1
      this.beginLine(level.indent)
      this.out.putText('-')
      this.value(level.indent, ' ')
    }
  }

  private beginLine(indent: string): void {
    if (!this.isInline) this.out.putText(indent)
    this.isInline = false
  }

  private member(level: Level): void {
    const end = stringEnd(this.bytes, this.at)
    const key = stringBetween(this.bytes, this.at, end)
    level.step = key
    if (level.keys?.has(key) === true) throw this.duplicate(level)
    level.keys?.add(key)
    this.beginLine(level.indent)
    const written = flowScalar(key)
    if (written.length > keyCharactersMax) this.out.putText(`? ${written}\n${level.indent}:`)
    else this.out.putText(`${written}:`)
    this.at = end
    if (this.bytes[this.at] === colon) this.at += 1
    this.value(level.indent, ' ')
  }

  private duplicate(level: Level): ToolInputError {
    const name = flowScalar(String(level.step).slice(0, 100))
    const pointer = pointerTo(this.levels.map(({ step }) => String(step)))
    const message = `The object at ${pointer.slice(0, 200)} has the key ${name} twice, which YAML forbids; duplicate_keys=keep writes both.`
    return new ToolInputError('duplicate_key', message)
  }

  /** Writes the value at the current position after a dash or a key that is indented by `indent`. */
  private value(indent: string, space: string): void {
    const { bytes, at } = this
    const first = bytes[at]
    if (first === openBrace || first === openBracket) {
      this.open(first === openBrace, indent, space)
      return
    }
    const end = first === quote ? stringEnd(bytes, at) : literalEnd(bytes, at)
    this.at = end
    const text =
      first === quote ? this.string(stringBetween(bytes, at, end), indent) : textBetween(bytes, at, end)
    this.out.putText(`${space}${text}\n`)
  }

  private string(text: string, indent: string): string {
    if (this.options.multiline === 'quotes' && text.includes('\n')) return quotedScalar(text)
    return blockScalar(text, indent + ' '.repeat(Number(this.options.indent))) ?? flowScalar(text)
  }

  private open(isObject: boolean, indent: string, space: string): void {
    const next = this.bytes[this.at + 1]
    this.at += 1
    if (next === closeBrace || next === closeBracket) {
      this.out.putText(`${space}${isObject ? '{}' : '[]'}\n`)
      this.at += 1
      return
    }
    const parent = this.levels.at(-1)
    const width = Number(this.options.indent)
    const inner = parent === undefined ? '' : indent + ' '.repeat(width)
    const keys = isObject && this.options.duplicate_keys === 'refuse' ? new Set<string>() : null
    this.levels.push({ isObject, indent: inner, keys, step: -1 })
    // The first member follows the dash, above the others.
    if (parent?.isObject === false) {
      this.out.putText(' '.repeat(width - 1))
      this.isInline = true
    } else if (parent !== undefined) this.out.putText('\n')
  }
}

/** Writes JSON as YAML. */
export async function* writeYaml(
  input: AsyncIterable<Uint8Array>,
  options: WriteYamlOptions,
): AsyncGenerator<Uint8Array> {
  yield* new YamlWriter(await compactJson(input), options).write()
}
