import { z } from 'zod'
import { encodingNames } from '../encoding/encodings.js'
import { utf8Of } from '../encoding/utf8-of.js'
import type { InputPosition } from './tool-input-error.js'

/** JSON (RFC 8259). */
export const json: Format = { mediaType: 'application/json', extension: 'json', kind: 'json' }
/** A schema of JSON, as JSON. */
export const jsonSchema: Format = { mediaType: 'application/schema+json', extension: 'json', kind: 'json' }
/** A JSON value on each line. */
export const ndjson: Format = { mediaType: 'application/x-ndjson', extension: 'ndjson', kind: 'ndjson' }
/** Comma-separated values, or with another separator. */
export const csv: Format = { mediaType: 'text/csv', extension: 'csv', kind: 'csv' }
/** Text of any kind. */
export const plainText: Format = { mediaType: 'text/plain', extension: 'txt', kind: 'text' }
/** Bytes of any kind. */
export const bytes: Format = { mediaType: 'application/octet-stream', extension: 'bin', kind: 'text' }
/** A JSON Web Token, as text. */
export const jwt: Format = { mediaType: 'application/jwt', extension: 'jwt', kind: 'jwt' }
/** SQL of any dialect. */
export const sql: Format = { mediaType: 'application/sql', extension: 'sql', kind: 'sql' }
/** YAML 1.2 (RFC 9512). */
export const yaml: Format = { mediaType: 'application/yaml', extension: 'yaml', kind: 'yaml' }
/** XML 1.0. */
export const xml: Format = { mediaType: 'application/xml', extension: 'xml', kind: 'xml' }
/** Types in TypeScript. */
export const typeScript: Format = { mediaType: 'text/typescript', extension: 'ts', kind: 'text' }

/** The format of a tool's input or output. */
export interface Format {
  /** Without parameters; text is always UTF-8. */
  readonly mediaType: string
  /** Of a file, without the dot. */
  readonly extension: string
  /** How the viewer shows it. */
  readonly kind: 'json' | 'ndjson' | 'csv' | 'xml' | 'yaml' | 'sql' | 'jwt' | 'text'
}

/** An input, options and the exact output. Text is UTF-8. */
export interface ToolExample {
  readonly input: string
  readonly options?: Readonly<Record<string, unknown>>
  readonly output: string
}

/** What a tool has to say about its output: a part that it left as it was, a change that it made. */
export interface ToolNote {
  /** Safe to show; it ends without a position. */
  readonly message: string
  /** In the input. */
  readonly position: InputPosition | null
}

/** Takes the notes of a run; all of them come before its first output. */
export type OnToolNote = (note: ToolNote) => void

/** Passes on the first 20 notes of a run, of which the last says that there are more. */
export function boundedNotes(onNote: OnToolNote): OnToolNote {
  let count = 0
  return (note) => {
    count += 1
    if (count < 20) onNote(note)
    else if (count === 20) onNote({ ...note, message: `${note.message} There may be more such notes.` })
  }
}

/**
 * Runs a tool. It reads a chunk of the input only until it asks for the next one; the chunks that it yields belong to
 * the caller, who may transfer them. Stopping the iteration stops the tool.
 * @param options checked here: what is left out has its default.
 * @throws ToolInputError for input that the tool cannot take, after part of the output; ZodError for wrong options,
 * before it reads anything.
 */
export type ToolRun = (
  input: AsyncIterable<Uint8Array>,
  options?: Readonly<Record<string, unknown>>,
  onNote?: OnToolNote,
) => AsyncIterable<Uint8Array>

/** Parameters of requests, commands and pages that no option of a tool may be named like. */
export const reservedOptions = ['save', 'share', 'title', 'expires_in', 'tag', 'history', 'key'] as const

/** What the API, the command line, MCP and the pages know about a tool before it is loaded. */
export interface ToolDescription {
  /** As in addresses and on the command line: `json-format`. */
  readonly name: string
  readonly title: string
  /** One sentence. */
  readonly summary: string
  readonly input: Format
  readonly output: Format
  /**
   * Strict; every option has a default and a description, so `z.toJSONSchema` describes a form or parameters. Names are
   * those of queries and flags: in snake case, and none of `reservedOptions`.
   */
  readonly options: z.ZodObject
  readonly examples: readonly [ToolExample, ...ToolExample[]]
  /** What comes out exactly as it went in: everything but white space between tokens, or all but these. */
  readonly keeps: 'everything' | { readonly allBut: readonly string[] }
  /** Imports the code of the tool, and the libraries it rests on. */
  load(): Promise<ToolRun>
}

/** A description whose code takes options of the type that its schema makes. */
export interface TypedTool<Options extends z.ZodObject> extends Omit<ToolDescription, 'load' | 'options'> {
  readonly options: Options
  load(): Promise<
    (
      input: AsyncIterable<Uint8Array>,
      options: z.output<Options>,
      onNote: OnToolNote,
    ) => AsyncIterable<Uint8Array>
  >
}

function makeEncodingOption() {
  return z
    .enum(['auto', ...encodingNames])
    .default('auto')
    .meta({
      description:
        'The encoding of the input. auto reads UTF-8, what begins with a byte order mark, and XML as it declares. The output is UTF-8.',
    })
}

/** How the input is read, of every tool that takes text. Pages that only run tools do without it, and without zod. */
export const encodingOption = /* @__PURE__ */ makeEncodingOption()

/**
 * A tool for the registry; its code only ever sees options that its schema has checked, and text in UTF-8. Every tool
 * that takes text gets the option `encoding`.
 */
export function defineTool<Options extends z.ZodObject>(tool: TypedTool<Options>): ToolDescription {
  if (tool.input.mediaType === 'application/octet-stream')
    return {
      ...tool,
      async load() {
        const run = await tool.load()
        return (input, options = {}, onNote = () => {}) => run(input, tool.options.parse(options), onNote)
      },
    }
  const schema = tool.options.extend({ encoding: encodingOption })
  return {
    ...tool,
    options: schema,
    async load() {
      const run = await tool.load()
      return (input, options = {}, onNote = () => {}) => {
        const { encoding } = z.object({ encoding: encodingOption }).parse(schema.parse(options))
        const { encoding: _own, ...own } = options
        const text = utf8Of(input, { encoding, isXml: tool.input.kind === 'xml' })
        return run(text, tool.options.parse(own), onNote)
      }
    },
  }
}

/** What a text may stand for, the text itself first. */
function* readings(text: string): Generator<unknown, void, undefined> {
  yield text
  if (text === 'true' || text === 'false') yield text === 'true'
  if (/^-?[0-9]{1,15}$/.test(text)) yield Number(text)
  if (text.startsWith('[')) yield* parsed(text)
  yield text === '' ? [] : text.split(',')
}

/** The value of a JSON text; nothing if it is not JSON. */
function parsed(text: string): readonly unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}

/**
 * Options from texts, as in a query or a fragment: a text becomes the boolean, the whole number or the list
 * that its option takes. A list is separated by commas, or a JSON array, for items that have commas. Neither unknown
 * options nor values that fit nothing are refused here; they stay as they are for the tool's schema.
 */
export function readOptions(
  { options }: Pick<ToolDescription, 'options'>,
  texts: Iterable<readonly [name: string, text: string]>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {}
  for (const [name, text] of texts) {
    const schema = Object.hasOwn(options.shape, name) ? options.shape[name] : undefined
    const fitting = [...readings(text)].find((value) => schema?.safeParse(value).success === true)
    read[name] = fitting ?? text
  }
  return read
}
