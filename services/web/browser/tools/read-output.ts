import { findTool } from '#engine/tools/registry.js'
import {
  boundedNotes,
  type OnToolNote,
  readOptions,
  type ToolDescription,
  type ToolNote,
} from '#engine/tools/tool.js'
import { type InputPosition, ToolInputError } from '#engine/tools/tool-input-error.js'
import { blobChunks } from '../blob-chunks.js'
import type { OpenedDocument, Progress } from '../document/document-reader.js'
import { readDocument } from '../document/read-document.js'
import type { ServedDocument } from '../document/serve-document.js'
import { outputDocument } from './output-document.js'

/** What the page has the worker run. */
export interface WantedRun {
  readonly tool: string
  /** Those that differ from their defaults, as texts. */
  readonly options: readonly (readonly [name: string, text: string])[]
  readonly input: Blob
}

/** Why there is no output, and where in the input. */
export interface Refusal {
  readonly code: string
  readonly message: string
  readonly position: InputPosition | null
}

/** What a run has made. */
export interface OpenedOutput extends OpenedDocument {
  readonly refusal: Refusal | null
  /** What the tool has to say about its output. */
  readonly notes: readonly ToolNote[]
  /** The output, byte for byte; empty if the input was refused. */
  readonly output: Blob
  /** Without views, because it is not text. */
  readonly isBinary: boolean
}

const progressIntervalMs = 50

async function* chunksOf(
  input: Blob,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let receivedBytes = 0
  let reportedAt = performance.now()
  for await (const chunk of blobChunks(input)) {
    yield chunk
    receivedBytes += chunk.length
    if (performance.now() - reportedAt < progressIntervalMs) continue
    reportedAt = performance.now()
    onProgress({ phase: 'receiving', receivedBytes, totalBytes: input.size })
  }
}

function areText(chunks: readonly Uint8Array[]): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const chunk of chunks) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Without views. */
function withoutViews(
  output: Blob,
  facts: Pick<OpenedOutput, 'refusal' | 'notes' | 'isBinary'>,
): ServedDocument<OpenedOutput> {
  return {
    opened: { ...facts, output, sizeBytes: output.size, parts: [], firstPart: 0 },
    openPart: () => Promise.reject(new RangeError('there is nothing to open')),
  }
}

function refused(refusal: Refusal): ServedDocument<OpenedOutput> {
  return withoutViews(new Blob([]), { refusal, notes: [], isBinary: false })
}

async function collect(
  { load }: ToolDescription,
  options: Readonly<Record<string, unknown>>,
  input: AsyncIterable<Uint8Array>,
  onNote: OnToolNote,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const run = await load()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of run(input, options, boundedNotes(onNote))) chunks.push(new Uint8Array(chunk))
  return chunks
}

/** Runs a tool and reads its output as the viewer reads what is shared. */
export async function readOutput(
  { tool: name, options: texts, input }: WantedRun,
  onProgress: (progress: Progress) => void,
): Promise<ServedDocument<OpenedOutput>> {
  const tool = findTool(name)
  if (tool === null) throw new Error(`there is no tool ${name}`)
  const options = readOptions(tool, texts)
  const { error } = tool.options.safeParse(options)
  const [issue] = error?.issues ?? []
  if (issue !== undefined) {
    const message = `${issue.path.join(' ')}: ${issue.message}`
    return refused({ code: 'invalid_option', message, position: null })
  }
  try {
    const notes: ToolNote[] = []
    const chunks = await collect(tool, options, chunksOf(input, onProgress), (note) => notes.push(note))
    onProgress({ phase: 'indexing', receivedBytes: input.size, totalBytes: input.size })
    const output = new Blob(chunks, { type: tool.output.mediaType })
    if (!areText(chunks)) return withoutViews(output, { refusal: null, notes, isBinary: true })
    const document = readDocument(outputDocument(tool.output.extension, chunks), name)
    return { ...document, opened: { ...document.opened, refusal: null, notes, output, isBinary: false } }
  } catch (thrown) {
    if (!(thrown instanceof ToolInputError)) throw thrown
    const { code, message, position } = thrown
    return refused({ code, message, position })
  }
}
