import { expect, it } from 'vitest'
import { createLogger } from '#libs/log/logger.js'
import { metrics } from '#libs/telemetry/catalogue.js'
import { readDocument } from '../application/read-document.js'
import type { DocumentRange } from '../domain/stored-data.js'
import { ann, collect, documentData } from '../testing/content-fixture.js'
import { memoryFixture } from '../testing/memory-fixture.js'
import { soleDocumentStore } from './document-stores.js'

const whole = { offset: 0, length: null }

it('a document without any bytes is unavailable, with a line that names it, and counts as damaged', async () => {
  const { ports } = memoryFixture()
  const lines: string[] = []
  const log = createLogger('content', 'info', { write: (line) => lines.push(line) })
  const documents = soleDocumentStore(ports.documents, log)
  const { id } = await documentData({ ...memoryFixture(), ports }, ann, '{"in":"another store"}')
  const damaged = async (): Promise<number> => (await metrics.damagedReads.collect())[0]?.value ?? 0
  const before = await damaged()
  const read = (range: DocumentRange = whole) => collect(readDocument({ ...ports, documents }, id, range))
  expect((await read()).toString()).toBe('{"in":"another store"}')

  await ports.documents.remove([id])
  await expect(read()).rejects.toMatchObject({
    kind: 'unavailable',
  })
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      event: 'document_elsewhere',
      level: 'error',
      document_id: id,
      err: { message: expect.stringContaining(id) },
    },
  ])
  expect(await damaged()).toBe(before + 1)
  expect(await read({ offset: 0, length: 0 })).toHaveLength(0)
})
