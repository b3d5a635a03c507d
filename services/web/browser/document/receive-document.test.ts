import { expect, it } from 'vitest'
import type { Progress } from './document-reader.js'
import { receiveDocument } from './receive-document.js'

const wanted = { rawPath: '/api/shares/x/raw', headers: { Authorization: 'Bearer y' }, sizeBytes: 6 }

function respondingWith(body: BodyInit | null, init: ResponseInit = {}): typeof fetch {
  return () => Promise.resolve(new Response(body, init))
}

function inPieces(...pieces: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
}

it.each([
  ['as large as expected', 6, ['{"a":', '1}']],
  ['larger than expected', 2, ['{"a":', '[1,2,3,4', ']}']],
  ['smaller than expected', 60, ['{', '}']],
  ['empty', 6, []],
])('a document that is %s arrives whole', async (_case, sizeBytes, pieces) => {
  const bytes = await receiveDocument(
    respondingWith(inPieces(...pieces)),
    { ...wanted, sizeBytes },
    () => undefined,
  )
  expect(new TextDecoder().decode(bytes)).toBe(pieces.join(''))
})

it('progress is reported from the first chunk on, and ends with the whole size', async () => {
  const progress: Progress[] = []
  await receiveDocument(respondingWith(inPieces('{"a"', ':1}')), wanted, (step) => progress.push(step))
  expect(progress[0]).toEqual({ phase: 'receiving', receivedBytes: 4, totalBytes: 6 })
  expect(progress.at(-1)).toEqual({ phase: 'indexing', receivedBytes: 7, totalBytes: 7 })
})

it.each([
  [410, 'gone'],
  [404, 'not-found'],
  [401, 'refused'],
  [403, 'refused'],
  [429, 'refused'],
  [500, 'network'],
])('status %i becomes %s, in the words of the service', async (status, code) => {
  const problem = JSON.stringify({ detail: 'Why it is so.' })
  await expect(
    receiveDocument(respondingWith(problem, { status }), wanted, () => undefined),
  ).rejects.toMatchObject({ code, message: 'Why it is so.' })
})

it('a rejection without a message gets ours', async () => {
  await expect(
    receiveDocument(respondingWith('<html>', { status: 410 }), wanted, () => undefined),
  ).rejects.toMatchObject({ code: 'gone', message: 'This has expired.' })
})

it('a broken connection is reported as such, before and within the response', async () => {
  const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('reset')) })
  for (const fetching of [respondingWith(broken), () => Promise.reject(new TypeError('offline'))])
    await expect(receiveDocument(fetching, wanted, () => undefined)).rejects.toMatchObject({
      code: 'network',
    })
})

it('the request carries the given headers', async () => {
  const args: unknown[] = []
  const fetching: typeof fetch = (...request) => {
    args.push(request)
    return Promise.resolve(new Response('{}'))
  }
  await receiveDocument(fetching, wanted, () => undefined)
  expect(args).toEqual([['/api/shares/x/raw', { headers: { Authorization: 'Bearer y' } }]])
})
