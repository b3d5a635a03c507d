import { expect, it } from 'vitest'
import { PreconditionFailedError, Snipkeep } from '#sdk/exports.js'
import { createQueryClient } from '../../api/query-client.js'
import { contractKey } from '../../api/query-keys.js'
import { readContract, removeContract, type ShownContract, saveContract } from './contract-reads.js'

const problem = (status: number) => Response.json({ code: 'x', detail: 'The API says so.' }, { status })

/** The API that answers each request so, what it was asked, and a cache that holds the contract shown. */
function fixture(answer: () => Response) {
  const requests: Request[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    requests.push(new Request(input, init))
    return answer()
  }
  const api = new Snipkeep({ server: 'https://snipkeep.example', fetch, retries: 0 })
  const queries = createQueryClient()
  queries.setQueryData(contractKey('id'), shown)
  const conditions = () =>
    requests.map(({ method, headers }) => [method, headers.get('If-Match'), headers.get('If-None-Match')])
  const isOutdated = () => queries.getQueryState(contractKey('id'))?.isInvalidated
  return { api, queries, requests, conditions, isOutdated }
}

const shown = { etag: '"id.1.5"', text: '{}', version: 1 } as ShownContract

it('a contract is added only where there is none, and replaced or removed only as it was shown', async () => {
  const { api, queries, requests, conditions } = fixture(() => Response.json({ version: 1 }))
  await saveContract(api, queries, { id: 'id', shown: null, rules: '{"ignore":[]}' })
  await saveContract(api, queries, { id: 'id', shown, rules: '{"ignore":[]}' })
  await removeContract(api, queries, { id: 'id', shown })
  expect(conditions()).toEqual([
    ['PUT', null, '*'],
    ['PUT', '"id.1.5"', null],
    ['DELETE', '"id.1.5"', null],
  ])
  expect(await requests[0]?.text()).toBe('{"ignore":[]}')
})

it.each([
  ['adding', null],
  ['replacing', shown],
] as const)('%s reads what someone else has set in the meantime', async (_what, before) => {
  const { api, queries, isOutdated } = fixture(() => problem(412))
  const saved = saveContract(api, queries, { id: 'id', shown: before, rules: '{}' })
  await expect(saved).rejects.toBeInstanceOf(PreconditionFailedError)
  expect(isOutdated()).toBe(true)
})

it('removing reads what someone else has set in the meantime', async () => {
  const { api, queries, isOutdated } = fixture(() => problem(412))
  const removed = removeContract(api, queries, { id: 'id', shown })
  await expect(removed).rejects.toBeInstanceOf(PreconditionFailedError)
  expect(isOutdated()).toBe(true)
})

it('a mistake in the rules does not read the contract again', async () => {
  const { api, queries, isOutdated } = fixture(() => problem(400))
  await expect(saveContract(api, queries, { id: 'id', shown, rules: '{' })).rejects.toThrow()
  expect(isOutdated()).toBe(false)
})

it('only a missing contract is none; other errors are passed on', async () => {
  const { signal } = new AbortController()
  expect(await readContract(fixture(() => problem(404)).api, 'id', { signal })).toBeNull()
  await expect(readContract(fixture(() => problem(403)).api, 'id', { signal })).rejects.toMatchObject({
    status: 403,
  })
  await expect(readContract(fixture(() => problem(500)).api, 'id', { signal })).rejects.toMatchObject({
    status: 500,
  })
})
