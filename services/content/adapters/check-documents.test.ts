import { expect, it } from 'vitest'
import { unavailable } from '#libs/core/domain-error.js'
import { checkDocuments } from './check-documents.js'

const closed: string[] = []
const storeThat = (name: string, failure: Error | null) => async () => ({
  async *read(): AsyncGenerator<Uint8Array> {
    if (failure !== null) throw failure
    yield* []
  },
  close: () => void closed.push(name),
})

it('reports ok if the store can be read, and nothing if documents are not in S3', async () => {
  expect(await checkDocuments(storeThat('good', null))).toMatchObject([{ verdict: 'ok' }])
  expect(await checkDocuments(async () => null)).toEqual([])
  expect(closed).toContain('good')
})

it('reports a problem with its reason if the store cannot be read, and closes the store', async () => {
  const failure = unavailable('Please try again.', new Error('NoSuchBucket (404)'))
  const [finding] = await checkDocuments(storeThat('bad', failure))
  expect(finding).toMatchObject({ verdict: 'problem', message: expect.stringContaining('NoSuchBucket') })
  expect(finding?.remedy).toContain('S3_BUCKET')
  expect(closed).toContain('bad')
})
