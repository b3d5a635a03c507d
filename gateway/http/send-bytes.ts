import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { RequestAborted } from '../body/read-body.js'
import { createReaderPace, defaultReaderPace, type ReaderPaceRules } from './reader-pace.js'

/** A part of a response: bytes at hand, or bytes that arrive. */
export type Part = Uint8Array | AsyncIterable<Uint8Array>

/** Writes chunk by chunk, as fast as the reader takes them; one who takes them too slowly is ended. */
interface Writer {
  /** Resolves when there is room for more, or the reader has gone away, which the next one tells. */
  write(chunk: Uint8Array): Promise<void>
  /** Forgets the response. */
  stop(): void
}

/** Two listeners for all of a response: two abort signals for each chunk took a sixth of the time. */
function openWriter(response: ServerResponse, rules: ReaderPaceRules): Writer {
  let resume: (() => void) | null = null
  const wake = (): void => resume?.()
  // A response that waits behind another on its connection is not told when that closes; its request is.
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

/** Bytes that arrive and of which the first have; `close` for whoever does not read them to their end. */
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

/** Beyond it, parts leave one after another. */
const atHandBytesMax = 131_072

/** All of a response that is short and at hand, as a text with a character for each byte, or `null`. */
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

/** Returns 200 with a text of `atHand`. It leaves in one piece with the headers; bytes would be a second one. */
export function sendByteText(response: ServerResponse, headers: OutgoingHttpHeaders, text: string): void {
  response.writeHead(200, headers)
  response.end(text, 'latin1')
}

/**
 * Returns 200 with these headers and the parts one after another, as fast as the reader takes them. The response begins
 * when the first of the bytes that arrive have done so: until then an error is a problem to be told. Where a part fails
 * later the connection is broken off, so that no one takes a truncated response for a complete one.
 * @throws RequestAborted when the reader goes away or is ended for being too slow, and what a part throws.
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
    response.writeHead(200, headers)
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
