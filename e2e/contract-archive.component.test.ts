import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { makeKey } from './harness/api-keys.js'
import { type ArchiveFiles, pack, recordsOf, unpack, withList } from './harness/archive.js'
import { download, linesOf, saved, summaryOf, upload } from './harness/archived-account.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

/** With digits that a double has not, and a line feed that no line of a list may have. */
const rules = '{"schema":{"maximum":1e400},\n "tolerance":[{"path":"/v","absolute":"0.50"}]}'
const names = ['one', 'two', 'three', 'four']
let system: SystemInProcess
let archive: Buffer
let files: ArchiveFiles

async function addContract(user: ApiClient, name: string): Promise<void> {
  await saved(user, '{"v":1}', { name })
  const put = await user.request('PUT', `/api/snippets/@${name}/contract`, { body: rules })
  expect(put.status, put.text).toBe(201)
}

beforeAll(async () => {
  system = await startSystem({ env: { RATE_LIMIT_STRICT: '1000/60' } })
  const source = await system.user('source', 'pro')
  for (const name of names) await addContract(source, name)
  const check = await source.post('/api/snippets/@one/checks', '{"data":{"v":1e3}}')
  expect(check.json(), check.text).toMatchObject({ state: 'pending' })
  await source.post('/api/snippets/@one/checks', '{"data":{"v":1}}')
  archive = await download(system, 'source')
  files = await unpack(archive)
})
afterAll(() => system?.stop())

describe('an archive', () => {
  it('has the contracts as they are spelled, and what waits for a decision with its data', async () => {
    const contracts = String(files.get('contracts.ndjson')).trim().split('\n')
    expect(contracts).toHaveLength(names.length)
    for (const line of contracts) expect(line).toContain(`"rules":${rules.replace('\n', ' ')},"version":1,`)
    const checks = recordsOf(files, 'checks.ndjson')
    expect(checks).toMatchObject([{ verdict: 'breaks', name: 'one', size_bytes: 9 }])
    expect(String(files.get(`data/checks/${checks[0]?.id}.json`))).toBe('{"v":1e3}')
    const manifest = JSON.parse(String(files.get('manifest.json')))
    expect(manifest).toMatchObject({ version: 2, counts: { contracts: 4, checks: 1 } })
  })

  it('brings contracts back once, within the plan, and no check', async () => {
    const pro = await system.user('pro', 'pro')
    expect(summaryOf(await upload(pro, archive, '?dry_run=true'))).toMatchObject({ created: 8, skipped: 1 })
    const lines = linesOf(await upload(pro, archive))
    expect(lines.find(({ reason }) => reason !== undefined)).toMatchObject({
      ...{ result: 'skipped', reason: 'check', path: expect.stringMatching(/^data\/checks\//) },
    })
    for (const name of names) {
      const read = await pro.get(`/api/snippets/@${name}/contract`)
      expect(read.text).toContain(`"rules":${rules.replace('\n', ' ')},`)
    }
    expect((await pro.get('/api/snippets/@one/checks')).json()).toEqual({ checks: [], next_cursor: null })
    await pro.request('PUT', '/api/snippets/@two/contract', { body: '{"compare":"shape"}' })
    expect(summaryOf(await upload(pro, archive))).toMatchObject({ created: 0, exists: 8, skipped: 1 })
    expect((await pro.get('/api/snippets/@two/contract')).json().rules).toEqual({ compare: 'shape' })
    const free = await system.user('free')
    const refused = linesOf(await upload(free, archive)).filter(({ result }) => result === 'refused')
    expect(refused).toMatchObject([{ problem: { code: 'contract_limit_reached' } }])
    const other = await system.user('other-free')
    const { summary } = linesOf(await upload(other, archive, '?dry_run=true')).at(-1) ?? {}
    expect(summary).toMatchObject({ created: 7, refused: 1 })
  })

  it('sets no contract and adds no version beside one for a key that may not approve', async () => {
    const owner = await system.user('guarded', 'pro')
    const writer = (await makeKey(system, owner, { scopes: ['read', 'write'] })).client
    const refusedTo = async (query = '') => {
      const refused = linesOf(await upload(writer, archive, query)).filter(
        ({ result }) => result === 'refused',
      )
      return refused.map(({ path, problem }) => [path, problem?.code])
    }
    const four = Array(4).fill(['contracts.ndjson', 'insufficient_scope'])
    expect(await refusedTo('?dry_run=true')).toEqual(four)
    expect(await refusedTo()).toEqual(four)
    for (const name of names)
      expect((await owner.get(`/api/snippets/@${name}/contract`)).status, name).toBe(404)
    expect(summaryOf(await upload(owner, archive))).toMatchObject({ created: 4, refused: 0 })
  })

  it('with rules that are wrong brings back the rest', async () => {
    const [line = '', ...others] = String(files.get('contracts.ndjson')).trim().split('\n')
    const wrong = [
      line.replace('"0.50"', '0.5'),
      line.replace(/"rules":.*,"version"/, '"rules":[],"version"'),
      line.replace(/"snippet_id":"[^"]*"/, `"snippet_id":"${'0'.repeat(22)}"`),
    ]
    const text = [...wrong, ...others].map((one) => `${one}\n`).join('')
    const user = await system.user('wrong', 'pro')
    const response = await upload(user, await pack(withList(files, 'contracts.ndjson', text)))
    const found = linesOf(response).filter(({ path }) => path === 'contracts.ndjson')
    expect(found.map(({ result, problem }) => problem?.code ?? result)).toEqual([
      ...['validation_failed', 'malformed_json', 'not_found', 'created', 'created', 'created'],
    ])
  })
})
