import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** A part of an answer: bytes at hand, or bytes that arrive. */
export type Part = Uint8Array | AsyncIterable<Uint8Array>

/** The time that a reader may take to make room for more, in milliseconds. */
const stalledReaderMs = 30_000

async function roomFor(response: ServerResponse, chunk: Uint8Array): Promise<void> {
  if (response.destroyed) throw new Error('the reader went away')
  if (response.write(chunk)) return
  const signal = AbortSignal.timeout(stalledReaderMs)
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
}

/**
 * Writes the parts one after another as fast as the reader takes them and ends the answer. Headers must have been
 * written. Where a part fails the connection is broken off, so that a short answer is never taken for a whole one.
 */
export async function sendBytes(response: ServerResponse, parts: Iterable<Part>): Promise<void> {
  const headOnly = response.req.method === 'HEAD'
  try {
    for (const part of headOnly ? [] : parts) {
      if (part instanceof Uint8Array) await roomFor(response, part)
      else for await (const chunk of part) await roomFor(response, chunk)
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}
