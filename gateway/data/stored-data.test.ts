import { describe, expect, it } from 'vitest'
import { DomainError } from '#libs/core/domain-error.js'
import { partUnavailable } from '#libs/grpc/status.js'
import type { ReadDocumentRequest } from '#proto/snipkeep/content/v1/document_service.js'
import type { ByteRange } from '../http/byte-range.js'
import type { Upstreams } from '../upstreams.js'
import { createDocumentReads, dataPart } from './stored-data.js'

const bytes = Buffer.from('0123456789')

/** Reads a document from a content whose calls fail after so many bytes, one after another; the last one succeeds. */
async function readThrough(failures: readonly (readonly [number, Error])[], range: ByteRange | null = null) {
  const requests: Pick<ReadDocumentRequest, 'offset' | 'length'>[] = []
  const left = [...failures]
  async function* answer({ offset, length = bytes.length - offset }: ReadDocumentRequest) {
    const [most, failure] = left.shift() ?? [length, null]
    const wanted = bytes.subarray(offset, offset + Math.min(length, most))
    for (const byte of wanted) yield { chunk: Buffer.from([byte]) }
    if (failure !== null) throw failure
  }
  const documents = {
    readDocument(request: ReadDocumentRequest) {
      requests.push({ offset: request.offset, length: request.length })
      return Object.assign(answer(request), { cancel: () => {} })
    },
  } as unknown as Upstreams['documents']
  const reads = createDocumentReads(
    documents,
    { take: async () => Promise.reject(new Error('not used')) },
    null,
  )
  const context = { requestId: 'r', timeoutMs: 1_000 }
  const request = { context, reader: { subject: 'a', anonymous: false }, hasSlot: true }
  const part = dataPart(reads, { $case: 'documentId', value: 'd' }, request, range)
  let text = ''
  for await (const chunk of part as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
  return { text, requests }
}

describe('a read of a document', () => {
  it('goes on where it was when its connection ends, as often as that happens', async () => {
    expect(
      await readThrough([
        [3, partUnavailable()],
        [4, partUnavailable()],
        [3, partUnavailable()],
      ]),
    ).toEqual({
      text: '0123456789',
      requests: [
        { offset: 0, length: undefined },
        { offset: 3, length: undefined },
        { offset: 7, length: undefined },
        { offset: 10, length: undefined },
      ],
    })
    expect(await readThrough([[4, partUnavailable()]], { offset: 2, length: 6 })).toEqual({
      text: '234567',
      requests: [
        { offset: 2, length: 6 },
        { offset: 6, length: 2 },
      ],
    })
  })

  it('fails when it gets no further, and for any other reason at once', async () => {
    await expect(readThrough([[0, partUnavailable()]])).rejects.toMatchObject({ code: 'unavailable' })
    await expect(
      readThrough([
        [3, partUnavailable()],
        [0, partUnavailable()],
      ]),
    ).rejects.toMatchObject({ code: 'unavailable' })
    const gone = new DomainError('not-found', 'not_found', 'Gone.')
    await expect(readThrough([[3, gone]])).rejects.toBe(gone)
  })
})
