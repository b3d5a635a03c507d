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

/** Plain scalars that some version of YAML, or some parser, reads as something other than a string. */
const isReserved = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i
/** Strings that no parser takes for another value or for syntax. */
const isPlain = /^[\p{L}_/$][\p{L}\p{M}\p{N}_/$.,;@()+*=%&!?<>|^~'"\\ :#-]*$/u
const isMisread = /: |:$| #| $/
/** What a block or plain scalar cannot contain. */
const isUnprintable =
  /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

function escaped(character: string): string {
  const code = character.charCodeAt(0)
  return escapes.get(character) ?? `\\u${code.toString(16).padStart(4, '0')}`
}

/** A string in double quotes. */
function quotedScalar(text: string): string {
  const escapable = /["\\\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]|\p{Cs}/gu
  return `"${text.replace(escapable, escaped)}"`
}

/** A string on one line: as it is, or in double quotes if it could be read as anything else. */
function flowScalar(text: string): string {
  const isSafe =
    isPlain.test(text) && !isMisread.test(text) && !isReserved.test(text) && !isUnprintable.test(text)
  return isSafe ? text : quotedScalar(text)
}

/** A string of several lines as a literal block, whose lines begin with `indent`; `null` if blocks cannot hold it. */
function blockScalar(text: string, indent: string): string | null {
  if (!text.includes('\n') || isUnprintable.test(text)) return null
  // The first line tells the indentation, so it may not begin with white space of its own.
  if (/^\s/.test(text) || /\n[ \t]+\n*$/.test(text)) return null
  const ending = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const body = ending === '-' ? text : text.slice(0, -1)
  return `|${ending}\n${body.replace(/^(?=.)/gm, indent)}`
}

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
