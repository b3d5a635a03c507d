import { expect, it } from 'vitest'
import type { Pool } from '#libs/postgres/pool.js'
import { documentId } from '../domain/ids.js'
import { postgresDocumentStore } from './postgres-document-store.js'

it('an empty range of a document causes no query', async () => {
  let asked = 0
  const connect = (): Promise<never> => {
    asked += 1
    return Promise.reject(new Error('the database is gone'))
  }
  const store = postgresDocumentStore({ connect } as unknown as Pool)
  const read = async (offset: number, length: number): Promise<number> => {
    let bytes = 0
    for await (const chunk of store.read(documentId('a'), { offset, length })) bytes += chunk.length
    return bytes
  }
  expect([await read(0, 0), await read(262_144, 0), asked]).toEqual([0, 0, 0])
  await expect(read(0, 1)).rejects.toMatchObject({ kind: 'unavailable' })
})
