import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { RequestAborted } from '../request/request-context.js'
import { createReaderPace, defaultReaderPace, type ReaderPaceRules } from './reader-pace.js'

/** A part of a response body. */
export type Part = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Writes as fast as the client reads, and disconnects a client that reads too slowly. The listeners serve the whole
 * response: two abort signals for each chunk took a sixth of the time.
 */
function openWriter(response: ServerResponse, rules: ReaderPaceRules) {
  let resume: (() => void) | null = null
  const wake = (): void => resume?.()
  // A pipelined response behind another one gets no event when the connection closes; its request does.
  const { req: request } = response
  const pace = createReaderPace(response, rules)
  response.on('drain', wake)
  response.on('close', wake)
  request.on('close', wake)
  return {
    /** Resolves when there is room for more, or the client has disconnected, which the next write reports. */
    async write(chunk: Uint8Array) {
      if (response.destroyed || request.socket.destroyed) throw new RequestAborted()
      if (response.write(chunk)) return pace.took(chunk.length)
      pace.waits(chunk.length)
      await new Promise<void>((resolve) => {
        resume = resolve
      })
      resume = null
      pace.resumes()
    },
    stop() {
      pace.stop()
      response.off('drain', wake)
      response.off('close', wake)
      request.off('close', wake)
    },
  }
}

/** A stream whose first chunk has arrived. */
interface StartedPart {
  readonly part: Part
  readonly chunks: AsyncIterable<Uint8Array>
  /** Needed if the stream is not read to its end. */
  close(): Promise<void>
}

async function begin(part: Part | undefined): Promise<StartedPart | null> {
  if (part === undefined || part instanceof Uint8Array) return null
  const iterator = part[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (let next = first; next.done !== true; next = await iterator.next()) yield next.value
  }
  return {
    part,
    chunks: chunks(),
    async close() {
      await iterator.return?.()
    },
  }
}

/** Above this size, parts are sent one by one. */
const shortTextBytesMax = 131_072

/** The body as a string with one character per byte; `null` if it is long or has a stream. */
export function shortTextOf(parts: readonly Part[]): string | null {
  const bytes: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    if (!(part instanceof Uint8Array)) return null
    bytes.push(part)
    length += part.length
  }
  return length > shortTextBytesMax ? null : Buffer.concat(bytes, length).toString('latin1')
}

/** Sends a string of `shortTextOf` together with the headers; bytes would be a second write. */
export function sendByteText(response: ServerResponse, headers: OutgoingHttpHeaders, text: string): void {
  response.writeHead(response.statusCode, headers)
  response.end(text, 'latin1')
}

/**
 * Sends headers and parts, as fast as the client reads, with the status of the response. It begins only when the first
 * stream has its first bytes: until then an error can still become a problem. If a part fails later, the connection is
 * closed, so that no one takes a truncated response for a complete one.
 * @throws RequestAborted if the client disconnects or is too slow, and whatever a part throws.
 */
export async function sendBytes(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  parts: Iterable<Part>,
  pace: ReaderPaceRules = defaultReaderPace,
): Promise<void> {
  const sent = response.req.method === 'HEAD' ? [] : [...parts]
  const short = shortTextOf(sent)
  if (short !== null) {
    sendByteText(response, headers, short)
    return
  }
  const started = await begin(sent.find((part) => !(part instanceof Uint8Array)))
  const writer = openWriter(response, pace)
  try {
    response.writeHead(response.statusCode, headers)
    for (const part of sent) {
      if (part instanceof Uint8Array) await writer.write(part)
      else for await (const chunk of part === started?.part ? started.chunks : part) await writer.write(chunk)
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    writer.stop()
    await started?.close()
  }
}
