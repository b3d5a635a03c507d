import type { ServerResponse } from 'node:http'
import type { ToolDescription } from '#engine/tools/tool.js'
import type { DomainError } from '#libs/core/domain-error.js'
import type { CallContext } from '#libs/grpc/call.js'
import type { JobNote } from '#proto/snipkeep/tools/v1/job_service.js'
import type { ByteSource } from '../../body/body-bytes.js'
import type { JobOrder, RunJob } from './jobs.js'

/** The bytes of a run so far. */
export interface RunSizes {
  input: number
  output: number
}

/** The largest input of a run, and the refusal of a larger one. */
export interface InputLimit {
  readonly bytesMax: number
  readonly tooMuch: () => DomainError
}

function counted(source: ByteSource, sizes: RunSizes, { bytesMax, tooMuch }: InputLimit): ByteSource {
  return {
    async next() {
      const chunk = await source.next()
      sizes.input += chunk?.length ?? 0
      if (sizes.input > bytesMax) throw tooMuch()
      return chunk
    },
    stop: (reason) => source.stop(reason),
  }
}

/** A run of a tool for somebody. */
export interface ToolOrder extends Pick<JobOrder, 'reader' | 'plan' | 'inputBytes' | 'onNote'> {
  readonly tool: ToolDescription
  readonly options: Readonly<Record<string, unknown>>
  readonly limit: InputLimit
  /** Counts the bytes of the run. */
  readonly sizes: RunSizes
}

/**
 * The output of a tool for this input; `next` throws DomainError 400 `invalid_input`, 413 `tool_too_large`, 503, and that
 * of the limit.
 */
export function toolOutput(
  runJob: RunJob,
  { tool, options, limit, sizes, ...order }: ToolOrder,
  input: ByteSource,
  call: CallContext,
): ByteSource {
  const value = { name: tool.name, options: Buffer.from(JSON.stringify(options)) }
  const inputs = [counted(input, sizes, limit)]
  const output = runJob({ ...order, job: { $case: 'tool', value }, inputs }, call)
  return {
    async next() {
      const chunk = await output.next()
      sizes.output += chunk?.length ?? 0
      return chunk
    },
    stop: (reason) => output.stop(reason),
  }
}

/** Proxies often have 4 KiB for all headers of a response. */
const bytesMax = 2_048

/** JSON in ASCII, as headers require. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const more = asciiJson({ message: 'There may be more notes; this header has no room for them.' })

/**
 * The header `Snipkeep-Notes`, which is JSON of up to 2 KiB.
 * @returns adds a note and returns the header with it; once one has no room, the last note says that there may be more.
 */
export function createNotesHeader(): (note: JobNote) => string {
  const notes: string[] = []
  let isFull = false
  return ({ line, column, message }) => {
    const note = asciiJson({ line, column, message })
    if (!isFull) {
      isFull = `[${[...notes, note, more].join(',')}]`.length > bytesMax
      notes.push(isFull ? more : note)
    }
    return `[${notes.join(',')}]`
  }
}

/** Adds each note of a run to the header of its response, until that is sent. */
export function noteHeader({ response }: { readonly response: ServerResponse }): (note: JobNote) => void {
  const withNote = createNotesHeader()
  return (note) => {
    const header = withNote(note)
    if (!response.headersSent) response.setHeader('Snipkeep-Notes', header)
  }
}
