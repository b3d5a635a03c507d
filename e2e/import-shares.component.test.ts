import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ApiClient } from './harness/api-client.js'
import { pack, recordsOf, unpack, withList } from './harness/archive.js'
import { download, type Line, linesOf, summaryOf, upload } from './harness/archived-account.js'
import { makeShare } from './harness/make-share.js'
import { type SystemInProcess, startSystem } from './harness/system-in-process.js'

const token = `ghp_${'zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17'}`
const url = 'https://bob:s3cretpassw0rd@git.acme.io/x.git'

/** The gateways differ in what they do about secrets. */
const policies = ['warn', 'refuse', 'off'] as const
const [warn, refuse, off] = [0, 1, 2]
let system: SystemInProcess

beforeAll(async () => {
  system = await startSystem({
    gateways: policies.length,
    gatewayEnv: (gateway) => ({ SHARE_SECRETS: policies[gateway] ?? 'warn' }),
  })
})
afterAll(async () => {
  const log = policies.map((_policy, gateway) => system.gatewayOutput(gateway)).join('')
  expect(log).not.toContain(token)
  await system?.stop()
})

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const fileOf = (path: string, text: string) => ({
  ...{ path, size_bytes: Buffer.byteLength(text), sha256: digestOf(text) },
})

/** An archive of shares with this data, as an export writes it. */
function archiveOf(data: readonly string[]): Promise<Buffer> {
  const all = data.map((text, n) => ({ id: String(n).padStart(22, '0'), text }))
  const lines = all.map(({ id, text }) =>
    JSON.stringify({
      ...{ id, tool: 'json', title: `Share ${id}`, size_bytes: Buffer.byteLength(text) },
      ...{ sha256: digestOf(text), created_at: '2026-01-01T00:00:00Z', expires_at: null, available: true },
    }),
  )
  const account = '{"format":"snipkeep-export","version":1}'
  const list = lines.map((line) => `${line}\n`).join('')
  const files = [fileOf('account.json', account), fileOf('shares.ndjson', list)]
  return pack([
    ['account.json', account],
    ['shares.ndjson', list],
    ...all.map(({ id, text }) => [`data/shares/${id}.json`, text] as const),
    ['manifest.json', JSON.stringify({ files, gone: [] })],
  ])
}

/** A document in which a token crosses each border of 64 KiB, and one is the last value. */
function largeDocument(): string {
  let text = '{"rows":['
  for (const border of [65_536, 131_072]) {
    text += `"${'- '.repeat((border - text.length - 20) / 2)}",`
    text += `{"at":"${' '.repeat(border - text.length - 17)}${token}"},`
  }
  return `${text}0],"last":"${token}"}`
}

const data = [
  JSON.stringify({ list: [1, { 'a/b': `x ${token}` }], config: JSON.stringify({ remote: url }) }),
  largeDocument(),
  '{"a":"nothing"}',
  JSON.stringify({ url }),
]

const sharesOf = async (user: ApiClient): Promise<readonly { readonly id: string }[]> =>
  (await user.get('/api/shares')).json<{ shares: { id: string }[] }>().shares

/** What a create of the same data says of its secrets. */
async function createSays(user: ApiClient, text: string): Promise<unknown> {
  const body = `{"tool":"x","title":"X","data":${text}}`
  const headers = { 'Content-Type': 'application/json' }
  const response = await user.request('POST', '/api/shares', { body, headers })
  const { warnings, code, detail, errors } = response.json()
  return { warnings, problem: code === undefined ? undefined : { code, detail, errors } }
}

function importSays({ warnings, problem }: Line): unknown {
  if (problem === undefined) return { warnings }
  const { code, detail, errors } = problem
  return { warnings, problem: { code, detail, errors } }
}

const itemsOf = (lines: readonly Line[]): readonly Line[] => lines.slice(0, -1)

describe('an import of shares', () => {
  it.each([
    [warn, ['created', 'created', 'created', 'created']],
    [refuse, ['refused', 'refused', 'created', 'created']],
    [off, ['created', 'created', 'created', 'created']],
  ])(
    'finds the secrets that a create finds, and does the same about them (gateway %i)',
    async (gateway, results) => {
      expect(data[1]?.indexOf(token)).toBe(65_536 - 10)
      const creator = await system.user(`creator ${gateway}`, 'pro', gateway)
      const expected = []
      for (const text of data) expected.push(await createSays(creator, text))
      const user = await system.user(`importer ${gateway}`, 'pro', gateway)
      const archive = await archiveOf(data)
      const dry = linesOf(await upload(user, archive, '?dry_run=true'))
      expect(itemsOf(dry).map(({ result }) => result)).toEqual(results)
      expect(itemsOf(dry).map(importSays)).toEqual(expected)
      expect(await sharesOf(user)).toEqual([])
      const response = await upload(user, archive)
      expect(response.text).not.toContain(token)
      const real = linesOf(response)
      expect(real.at(-1)?.summary).toEqual(dry.at(-1)?.summary)
      // The links are new, so a dry run cannot tell them.
      expect(itemsOf(dry).filter((line) => 'id' in line)).toEqual([])
      expect(itemsOf(real).map(({ share_url: _url, id: _id, ...line }) => line)).toMatchObject(
        itemsOf(dry).map(({ problem: _own, ...line }) => line),
      )
      expect(itemsOf(real).map(importSays)).toEqual(expected)
      const made = itemsOf(real).filter(({ result }) => result === 'created')
      expect((await sharesOf(user)).map(({ id }) => id).toSorted()).toEqual(
        made.map(({ id }) => id).toSorted(),
      )
      const again = linesOf(await upload(user, archive)).at(-1)?.summary
      expect(again).toMatchObject({ created: 0, exists: made.length, refused: data.length - made.length })
      expect(await sharesOf(user)).toHaveLength(made.length)
    },
  )

  it('stores nothing of a refused one, and publishes for who insists, which is recorded', async () => {
    const user = await system.user('insistent', 'pro', refuse)
    const archive = await archiveOf(data.slice(0, 2))
    expect(summaryOf(await upload(user, archive))).toMatchObject({ created: 0, refused: 2 })
    const { usage } = (await user.get('/api/auth/profile')).json<{ usage: Record<string, number> }>()
    expect([usage.shares, usage.stored_bytes]).toEqual([0, 0])
    const [line] = linesOf(await upload(user, archive, '?allow_secrets=true'))
    expect(line).toMatchObject({ result: 'created', warnings: [{ certain: true }, { certain: false }] })
    const path = `/api/events?subject=${line?.id}&type=share.secret_overridden`
    const events = async () => (await user.get(path)).json<{ events: readonly unknown[] }>().events
    await expect.poll(events).toMatchObject([{ detail: { rules: 'github-token, url-password' } }])
    const careful = await system.user('careful', 'pro', warn)
    expect(summaryOf(await upload(careful, archive, '?allow_secrets=false'))).toMatchObject({ refused: 2 })
    expect((await upload(careful, archive, '?allow_secrets=maybe')).json().code).toBe('validation_failed')
  })

  it('lists few warnings of each share once there are very many', async () => {
    const long = 'k'.repeat(900)
    const full = JSON.stringify({ [long]: { url, tokens: Array.from({ length: 19 }, () => token) } })
    const user = await system.user('careless', 'pro', warn)
    const response = await upload(user, await archiveOf(Array(300).fill(full)), '?dry_run=true')
    const lines = itemsOf(linesOf(response))
    expect(lines[0]?.warnings).toHaveLength(20)
    expect(lines.at(-1)?.warnings).toEqual([
      { rule: 'github-token', certain: true, masked: 'ghp_…Lq17', pointer: '' },
    ])
    expect(response.text.length).toBeLessThan(5_000_000)
  })
})

describe('a gated share', () => {
  const password = 'open sesame'
  const bytesOf = (files: ReadonlyMap<string, Buffer>, id: string): string =>
    String(files.get(`data/shares/${id}.json`) ?? 'none')

  it('comes back behind what is left of its gate, and never public', async () => {
    const owner = await system.user('gina', 'pro')
    const large = { csv: 'x'.repeat(100_000) }
    const limited = await makeShare(owner, { title: 'Limited', max_views: 3, data: large })
    const locked = await makeShare(owner, { title: 'Locked', password, max_views: 3 })
    const burnt = await makeShare(owner, { title: 'Burnt', burn: true })
    for (const { id } of [limited, burnt])
      expect((await system.anyone().post(`/api/shares/${id}/reveal`, {})).status).toBe(200)
    const archive = await download(system, 'gina')
    const files = await unpack(archive)
    const records = recordsOf(files, 'shares.ndjson')
    const recordOf = ({ id }: { readonly id: string }) => records.find((record) => record.id === id)
    expect(bytesOf(files, limited.id)).toBe(JSON.stringify(large))
    expect(bytesOf(files, locked.id)).toBe('{"v":1}')
    expect(recordOf(limited)).toMatchObject({
      available: true,
      gated: { password: false, views_left: 2 },
      views: 1,
    })
    expect(recordOf(locked)).toMatchObject({ available: true, gated: { password: true, views_left: 3 } })
    expect(recordOf(burnt)).toMatchObject({ available: true, gated: { password: false, views_left: 0 } })
    for (const content of files.values()) expect(String(content)).not.toMatch(/open sesame|scrypt|"gate_/)
    // The export was no view, and an import into the same account changes nothing.
    expect((await owner.get(`/api/shares/${limited.id}`)).json()).toMatchObject({ gated: { views_left: 2 } })
    expect(summaryOf(await upload(owner, archive))).toMatchObject({ created: 0, exists: 3 })

    const mover = await system.user('mover', 'pro')
    const dry = linesOf(await upload(mover, archive, '?dry_run=true'))
    const lines = linesOf(await upload(mover, archive))
    const lineOf = ({ id }: { readonly id: string }) => lines.find(({ path }) => path?.includes(id))
    expect(itemsOf(lines).map(({ share_url: _url, id: _id, ...line }) => line)).toEqual(itemsOf(dry))
    expect(lineOf(locked)).toMatchObject({ result: 'skipped', reason: 'password' })
    expect(lineOf(burnt)).toMatchObject({ result: 'skipped', reason: 'used_up' })
    const { id = '' } = lineOf(limited) ?? {}
    expect((await sharesOf(mover)).map((share) => share.id)).toEqual([id])
    const shown = await system.anyone().get(`/api/shares/${id}`)
    expect(shown.json()).toMatchObject({ gated: { password: false, views_left: 2 } })
    expect(shown.json()).not.toHaveProperty('data')
    expect((await system.anyone().get(`/api/shares/${id}/raw`)).json().code).toBe('reveal_required')
    expect((await mover.get(`/api/shares/${id}/raw`)).text).toBe(JSON.stringify(large))
    expect(summaryOf(await upload(mover, archive))).toEqual({ created: 0, exists: 1, skipped: 2, refused: 0 })
  })

  it('is not imported if its line says nothing of the gate, or the other way round', async () => {
    const owner = await system.user('forger', 'pro')
    const [gated, plain] = [await makeShare(owner, { burn: true }), await makeShare(owner, {})]
    const files = await unpack(await download(system, 'forger'))
    const forged = (id: string, gate: object | undefined) =>
      recordsOf(files, 'shares.ndjson')
        .map((record) => JSON.stringify(record.id === id ? { ...record, gated: gate } : record))
        .join('\n')
    const thief = await system.user('thief', 'pro')
    for (const list of [forged(gated.id, undefined), forged(plain.id, { password: false, views_left: 1 })]) {
      const response = await upload(thief, await pack(withList(files, 'shares.ndjson', `${list}\n`)))
      expect([response.status, response.json().code]).toEqual([400, 'archive_invalid'])
    }
    const more = forged(gated.id, { password: false, views_left: null })
    const lines = linesOf(await upload(thief, await pack(withList(files, 'shares.ndjson', `${more}\n`))))
    expect(lines.find(({ path }) => path?.includes(gated.id))?.problem?.code).toBe('validation_failed')
    expect(await sharesOf(thief)).toHaveLength(1)
  })
})
