import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { RequestAborted } from '../body/read-body.js'
import { createReaderPace, defaultReaderPace, type ReaderPaceRules } from './reader-pace.js'

/** A part of a response: bytes, or a stream of bytes. */
export type Part = Uint8Array | AsyncIterable<Uint8Array>

/** Writes chunk by chunk, as fast as the client reads; ends the connection of a client that reads too slowly. */
interface Writer {
  /** Resolves when there is room for more, or the client has gone away, which the next write reports. */
  write(chunk: Uint8Array): Promise<void>
  /** Removes the listeners. */
  stop(): void
}

/** Two listeners for the whole response: two abort signals for each chunk took a sixth of the time. */
function openWriter(response: ServerResponse, rules: ReaderPaceRules): Writer {
  let resume: (() => void) | null = null
  const wake = (): void => resume?.()
  // A response that waits behind another on its connection gets no event when that closes; its request does.
  const { req: request } = response
  const pace = createReaderPace(response, rules)
  response.on('drain', wake)
  response.on('close', wake)
  request.on('close', wake)
  return {
    async write(chunk) {
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

/** A stream whose first chunk has arrived; `close` if it is not read to its end. */
interface StartedPart {
  readonly part: Part
  readonly chunks: AsyncIterable<Uint8Array>
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

/** Beyond this size, parts are sent one after another. */
const atHandBytesMax = 131_072

/** A short response without streams as a string, one character per byte, or `null`. */
export function atHand(parts: readonly Part[]): string | null {
  const bytes: Uint8Array[] = []
  let length = 0
  for (const part of parts) {
    if (!(part instanceof Uint8Array)) return null
    bytes.push(part)
    length += part.length
  }
  return length > atHandBytesMax ? null : Buffer.concat(bytes, length).toString('latin1')
}

/** Sends a string of `atHand`, together with the headers; bytes would be a second write. */
export function sendByteText(response: ServerResponse, headers: OutgoingHttpHeaders, text: string): void {
  response.writeHead(response.statusCode, headers)
  response.end(text, 'latin1')
}

/**
 * Sends these headers, with 200 unless the response has another status, and the parts one after another, as fast as the client reads. The response begins with
 * the first bytes of a stream: until then an error becomes a problem. If a part fails later the connection is broken
 * off, so that no one takes a truncated response for a complete one.
 * @throws RequestAborted if the client goes away or is too slow, and what a part throws.
 */
export async function sendBytes(
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
  parts: Iterable<Part>,
  pace: ReaderPaceRules = defaultReaderPace,
): Promise<void> {
  const sent = response.req.method === 'HEAD' ? [] : [...parts]
  const short = atHand(sent)
  if (short !== null) {
    sendByteText(response, headers, short)
    return
  }
  const begun = await begin(sent.find((part) => !(part instanceof Uint8Array)))
  const writer = openWriter(response, pace)
  try {
    response.writeHead(response.statusCode, headers)
    for (const part of sent) {
      if (part instanceof Uint8Array) await writer.write(part)
      else for await (const chunk of part === begun?.part ? begun.chunks : part) await writer.write(chunk)
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    writer.stop()
    await begun?.close()
  }
}
