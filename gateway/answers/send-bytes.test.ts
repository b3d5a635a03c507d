import { once } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { type Part, sendBytes } from './send-bytes.js'

/** What a client gets of these parts; an error before the answer begins is a 503 here. */
async function answerOf(parts: readonly Part[], method = 'GET'): Promise<{ status: number; text: string }> {
  const server = createServer((_request, response) => {
    sendBytes(response, { 'X-Kind': 'bytes' }, parts).catch(() => {
      if (!response.headersSent) response.writeHead(503).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method })
    return { status: response.status, text: await response.text() }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Bytes that arrive, then an error; `ends` counts those who were done with them. */
async function* arriving(
  texts: readonly string[],
  ends: string[],
  error?: Error,
): AsyncGenerator<Uint8Array> {
  try {
    for (const text of texts) yield Buffer.from(text)
    if (error !== undefined) throw error
  } finally {
    ends.push('done')
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text)

describe('bytes that are sent', () => {
  it('come in their order, at hand and arriving', async () => {
    const ends: string[] = []
    const parts = [bytes('['), arriving(['1', ',2'], ends), bytes(','), arriving(['3'], ends), bytes(']')]
    expect([await answerOf(parts), ends]).toEqual([{ status: 200, text: '[1,2,3]' }, ['done', 'done']])
  })

  it('that arrive empty, or not at all, are nothing', async () => {
    expect(await answerOf([bytes('['), arriving([], []), bytes(']')])).toEqual({ status: 200, text: '[]' })
    expect(await answerOf([])).toEqual({ status: 200, text: '' })
  })

  it('and cannot be had are a problem, whatever stands before them', async () => {
    const failing = arriving([], [], new Error('the store is gone'))
    expect((await answerOf([bytes('{"data":'), failing, bytes('}')])).status).toBe(503)
  })

  it('and break off break the answer off', async () => {
    const failing = arriving(['1'], [], new Error('the store is gone'))
    await expect(answerOf([bytes('['), failing, bytes(']')])).rejects.toThrow()
  })

  it('are not even asked for by HEAD', async () => {
    const ends: string[] = []
    expect([await answerOf([arriving(['1'], ends)], 'HEAD'), ends]).toEqual([{ status: 200, text: '' }, []])
  })
})
