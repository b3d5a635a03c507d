import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hostileStrings } from '#libs/testing/hostile-strings.js'
import {
  apiKey,
  idToken,
  isCode,
  PermissionError,
  PreconditionFailedError,
  Snipkeep,
  TooLargeError,
} from '#sdk/exports.js'
import { fromFile } from '#sdk/node.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

let system: SystemInProcess
let sk: Snipkeep
let free: Snipkeep
let folder: string

const clientOf = (name: string) =>
  new Snipkeep({ server: system.baseUrl(), auth: idToken(() => system.issuer.token(name)) })

beforeAll(async () => {
  system = await startSystem()
  await system.user('sam', 'pro')
  await system.user('fay', 'free')
  ;[sk, free] = [clientOf('sam'), clientOf('fay')]
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-sdk-'))
})
afterAll(async () => {
  await system?.stop()
  await rm(folder, { recursive: true })
})

it('keeps JSON text byte for byte, and numbers with all their digits', async () => {
  const json = '{"id":12345678901234567890,"price":1.10,"a":[]}'
  const { id } = await sk.snippets.create({ tool: 'json-formatter', title: 'Exact', json })
  expect(await (await sk.snippets.raw(id)).text()).toBe(json)
  expect(await (await sk.snippets.raw(id, { pointer: '/id' })).text()).toBe('12345678901234567890')
  expect((await sk.snippets.get(id)).title).toBe('Exact')
})

it('keeps every hostile text as content', async () => {
  const texts = hostileStrings.filter((text) => text.isWellFormed()).slice(0, 100)
  for (const content of texts) {
    const { id } = await sk.snippets.create({ tool: 'text', content, key: 'text' })
    expect(await (await sk.snippets.raw(id, { pointer: '/text' })).text()).toBe(content)
  }
})

it('reads rows and ranges of bytes', async () => {
  const { id } = await sk.snippets.create({ tool: 'csv', title: 'Part', content: 'a\n1\n2\n3\n' })
  const rows = await sk.snippets.raw(id, { pointer: '/csv', rows: { first: 2, last: 9 } })
  expect([rows.totalRows, rows.isPartial, await rows.text()]).toEqual([3, false, 'a\n2\n3\n'])
  const part = await sk.snippets.raw(id, { range: { start: 0, end: 4 } })
  expect([part.totalRows, part.isPartial, part.size, await part.text()]).toEqual([null, true, 5, '{"csv'])
  const rest = await sk.snippets.raw(id, { range: { start: 17 }, ifRange: part.etag ?? '' })
  expect([rest.isPartial, await rest.text()]).toEqual([true, '3\\n"}'])
  const all = await sk.snippets.raw(id, { range: { start: 17 }, ifRange: '"old"' })
  expect([all.isPartial, await all.text()]).toEqual([false, '{"csv":"a\\n1\\n2\\n3\\n"}'])
  const beyond = await sk.snippets.raw(id, { range: { start: 99 } }).catch((error: unknown) => error)
  expect(beyond).toMatchObject({ status: 416, code: 'range_not_satisfiable', actual: 22 })
})

it('compares exactly', async () => {
  const { id } = await sk.snippets.create({
    tool: 'json',
    title: 'A',
    json: '{"v":12345678901234567890,"w":1}',
  })
  const changed = await sk.compare({ snippet: id }, { json: '{"v":12345678901234567891,"w":1}' })
  expect(changed.changes).toEqual([
    { op: 'replace', pointer: '/v', from: '12345678901234567890', to: '12345678901234567891' },
  ])
  const same = await sk.compare({ snippet: id, pointer: '/w' }, { data: { w: 1 }, pointer: '/w' })
  expect(same).toMatchObject({ equal: true, changes: [] })
})

it('puts a file under a name, repeatedly', async () => {
  const path = join(folder, 'report.csv')
  await writeFile(path, 'a,b\n1,2\n')
  const put = async () => sk.snippets.put('@report', { tool: 'to-csv', content: await fromFile(path) })
  const first = await put()
  await writeFile(path, 'a,b\n3,4\n')
  const second = await put()
  expect([first.created, second.created, second.id === first.id]).toEqual([true, false, true])
  expect(await (await sk.snippets.raw('@report', { pointer: '/csv' })).text()).toBe('a,b\n3,4\n')
  const stale = { tool: 'csv', content: 'x', ifMatch: '"old"' }
  await expect(sk.snippets.put('@report', stale)).rejects.toBeInstanceOf(PreconditionFailedError)
})

it('puts gates before shares, and opens them with a grant', async () => {
  const anyone = new Snipkeep({ server: system.baseUrl() })
  const gate = { tool: 'csv', password: 'correct hörse', maxViews: 2 }
  for (const content of [{ content: 'a' }, { data: { csv: 'a' } }, { json: '{"csv":"a"}' }]) {
    const { id, gated } = await sk.shares.create({ ...gate, ...content } as Parameters<
      typeof sk.shares.create
    >[0])
    expect(gated).toEqual({ password: true, views_left: 2 })
    expect(await anyone.shares.gate(id)).toMatchObject({ id, gated })
    await expect(anyone.shares.get(id)).rejects.toThrow(/has a gate/)
    const wrong = await anyone.shares.reveal(id, 'wrong').catch((error: unknown) => error)
    expect(isCode(wrong, 'share_password_invalid')).toBe(true)
    const { grant, views_left } = await anyone.shares.reveal(id, 'correct hörse')
    expect(views_left).toBe(1)
    expect((await anyone.shares.get(id, { grant })).data).toEqual({ csv: 'a' })
    expect(await (await anyone.shares.raw(id, { grant, pointer: '/csv' })).text()).toBe('a')
    expect(await sk.shares.get(id)).toMatchObject({ views: 1, failed_passwords: 1 })
  }
  const burnt = await sk.shares.create({ tool: 'csv', content: 'a', burn: true })
  expect(burnt.gated).toEqual({ password: false, views_left: 1 })
  const open = await sk.shares.create({ tool: 'csv', content: 'a' })
  expect(await anyone.shares.gate(open.id)).toBeNull()
})

it('shares, lists and deletes', async () => {
  const share = await sk.shares.create({ tool: 'csv', data: { csv: 'a' }, expiresIn: 3_600 })
  expect(share.share_url).toBe(`${system.baseUrl()}/s/${share.id}`)
  const anyone = new Snipkeep({ server: system.baseUrl() })
  expect((await anyone.shares.get(share.id)).data).toEqual({ csv: 'a' })
  expect((await sk.shares.list().all()).map(({ id }) => id)).toContain(share.id)
  await sk.shares.delete(share.id)
  expect(isCode(await anyone.shares.get(share.id).catch((error: unknown) => error), 'not_found')).toBe(true)
})

it('reads lists of many pages', async () => {
  for (let n = 0; n < 7; n += 1) await free.snippets.create({ tool: 'paged', data: { n } })
  const found = await free.snippets.list({ tool: 'paged', limit: 3, include_data: false }).all()
  expect(found).toHaveLength(7)
})

it('authenticates with an API key, and reports which limit was reached', async () => {
  const made = await sk.keys.create({ name: 'ci', scopes: ['read'] })
  const reader = new Snipkeep({ server: system.baseUrl(), auth: apiKey(made.key) })
  expect((await reader.account.profile()).plan).toBe('pro')
  const refused = await reader.snippets.create({ tool: 'csv', data: {} }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(PermissionError)
  expect(isCode(refused, 'insufficient_scope')).toBe(true)
})

it('records history, and reads plans', async () => {
  await sk.history.record({ tool: 'csv', action: 'convert' })
  const [entry] = await sk.history.list().all()
  expect(entry?.action).toBe('convert')
  expect((await sk.account.plans()).plans.length).toBe(2)
})

it('streams 50 MB up and down, and reports progress', async () => {
  const block = new TextEncoder().encode('0123456789abcdef'.repeat(4_096))
  const blocks = 760
  const content = {
    size: blocks * block.length,
    open() {
      let left = blocks
      return new ReadableStream<Uint8Array>({
        pull(output) {
          if (left === 0) return output.close()
          left -= 1
          output.enqueue(block)
        },
      })
    },
  }
  let sent = 0
  const { id, size_bytes: size } = await sk.snippets.create(
    { tool: 'text', content, key: 'text' },
    {
      onProgress: (progress) => {
        sent = progress.sent
      },
    },
  )
  expect(sent).toBe(content.size)
  expect(size).toBe(content.size + '{"text":""}'.length)
  let got = 0
  for await (const chunk of (await sk.snippets.raw(id, { pointer: '/text' })).body) got += chunk.length
  expect(got).toBe(content.size)
})

it('gets a 413 in the middle of 60 MB, not a broken pipe', async () => {
  const block = new Uint8Array(65_536).fill(97)
  const open = () => {
    let left = 920
    return new ReadableStream<Uint8Array>({
      pull(output) {
        if (left === 0) return output.close()
        left -= 1
        output.enqueue(block)
      },
    })
  }
  for (let round = 0; round < 5; round += 1) {
    const sending = sk.snippets.create({ tool: 'text', content: { size: null, open }, key: 'text' })
    await expect(sending).rejects.toBeInstanceOf(TooLargeError)
  }
})

it('a candidate for a new name is called as ifNew says, as data, too', async () => {
  const ifNew = { tool: 'json-formatter', title: 'First' }
  for (const holding of [{ data: { n: 1 } }, { json: '{"n":1.10}' }, { content: 'n' }]) {
    const { verdict, tool, title } = await sk.checks.create('@not-there', { ...holding, ifNew })
    expect({ verdict, tool, title }).toEqual({ verdict: 'new', ...ifNew })
  }
})
