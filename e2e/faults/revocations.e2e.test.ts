import pg from 'pg'
import { createClient } from 'redis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import type { ApiClient } from '../harness/api-client.js'
import { makeKey, type TestKey } from '../harness/api-keys.js'
import { iterations } from '../harness/iterations.js'
import { operate } from '../harness/operator.js'
import { readEverywhere } from '../harness/read-everywhere.js'
import { startSystem, type TestSystem } from '../harness/system.js'
import { within } from '../harness/within.js'

const gateways = [0, 1, 2]

let redis: RedisServer
let system: TestSystem

/** How often each gateway has reconnected to Redis. */
function reconnections(): number {
  return Math.min(...system.gateways.map((one) => one.output().split('Redis can be reached again').length))
}

/** Until a client is served, within a second. */
async function served(client: ApiClient): Promise<void> {
  await within(1_000, 200, async () => (await client.get('/api/snippets?limit=1')).status)
}

async function hot(owner: ApiClient): Promise<{ key: TestKey; clients: ApiClient[] }> {
  const key = await makeKey(system, owner)
  const clients = gateways.map((gateway) => system.withKey(key.key, gateway))
  for (const client of clients) expect((await client.get('/api/snippets?limit=1')).status).toBe(200)
  return { key, clients }
}

describeWithOwnRedis('three gateways with a key hot in each', () => {
  beforeAll(async () => {
    redis = await startRedisServer()
    system = await startSystem({
      gateways: 3,
      identities: 2,
      env: { REDIS_URL: redis.url, API_KEY_IDLE_DAYS: '30' },
    })
  })
  afterAll(async () => {
    await system?.stop()
    await redis?.stop()
  })

  it('a revoked key stops working everywhere within a second, and immediately where it was revoked', async () => {
    let slowest = 0
    for (let round = 0; round < iterations(40, 1_000); round += 1) {
      const owner = await system.user('owner', 'pro', round % 3)
      const { key, clients } = await hot(owner)
      const use = readEverywhere(clients)
      expect((await owner.delete(`/api/keys/${key.id}`)).status).toBe(200)
      const respondedAt = performance.now()
      const here = await clients[round % 3]?.get('/api/snippets?limit=1')
      expect([here?.status, here?.json().code]).toEqual([401, 'invalid_api_key'])
      await use.stopRefused()
      slowest = Math.max(slowest, use.lastAfter(respondedAt))
      for (const client of clients) expect((await client.get('/api/snippets?limit=1')).status).toBe(401)
    }
    process.stdout.write(`the slowest revocation was effective ${slowest.toFixed(1)} ms after its response\n`)
    expect(slowest).toBeLessThan(1_000)
  })

  it('a deleted share is gone everywhere within a second, and immediately where it was deleted', async () => {
    let slowest = 0
    const readers = gateways.map((gateway) => system.anyone(gateway))
    for (let round = 0; round < iterations(40, 1_000); round += 1) {
      const owner = await system.user('sharer', 'pro', round % 3)
      const body = { tool: 'csv', title: 'Shared', data: { round } }
      const { id } = (await owner.post('/api/shares', body)).json<{ id: string }>()
      const path = `/api/shares/${id}`
      for (const reader of readers) expect((await reader.get(path)).status).toBe(200)
      const use = readEverywhere(readers, path)
      expect((await owner.delete(path)).status).toBe(200)
      const respondedAt = performance.now()
      expect((await readers[round % 3]?.get(path))?.status).toBe(404)
      await use.stopRefused()
      slowest = Math.max(slowest, use.lastAfter(respondedAt))
      for (const reader of readers) expect((await reader.get(path)).status).toBe(404)
    }
    process.stdout.write(`the slowest deletion was effective ${slowest.toFixed(1)} ms after its response\n`)
    expect(slowest).toBeLessThan(1_000)
  })

  it('a plan change takes effect everywhere within a second, in both directions', async () => {
    let slowest = 0
    for (let round = 0; round < iterations(8, 200); round += 1) {
      const owner = await system.user('lapser', 'pro')
      const { key, clients } = await hot(owner)
      const use = readEverywhere(clients)
      await system.setPlan('lapser', 'free')
      const respondedAt = performance.now()
      await use.stopRefused()
      slowest = Math.max(slowest, use.lastAfter(respondedAt))
      for (const client of clients) {
        expect((await client.get('/api/snippets?limit=1')).json().code).toBe('pro_required')
      }
      await system.setPlan('lapser', 'pro')
      for (const client of clients) await served(client)
      expect((await owner.delete(`/api/keys/${key.id}`)).status).toBe(200)
    }
    process.stdout.write(
      `the slowest end of a plan was effective ${slowest.toFixed(1)} ms after it was set\n`,
    )
    expect(slowest).toBeLessThan(1_000)
  })

  it('an operator’s suspension stops tokens and keys everywhere within a second, until the account is resumed', async () => {
    const owner = await system.user('suspended', 'pro')
    const { clients } = await hot(owner)
    const tokens = await Promise.all(gateways.map((gateway) => system.user('suspended', 'pro', gateway)))
    const id = (await owner.get('/api/auth/profile')).json<{ id: string }>().id
    const env = { DATABASE_URL: system.databaseUrl, REDIS_URL: redis.url }
    const everyone = [...clients, ...tokens]
    for (const client of everyone) expect((await client.get('/api/snippets?limit=1')).status).toBe(200)
    const use = readEverywhere(everyone)
    const done = await operate('identity', ['suspend', id, '--reason', 'spam', '--json'], env)
    const endedAt = performance.now()
    expect(JSON.parse(done.printed)).toMatchObject({ id, suspension_reason: 'spam', announced: 'told' })
    await use.stopRefused()
    expect(use.lastAfter(endedAt)).toBeLessThan(1_000)
    for (const client of everyone) {
      const refused = await client.get('/api/snippets?limit=1')
      expect([refused.status, refused.json().code]).toEqual([403, 'account_suspended'])
    }
    expect((await operate('identity', ['resume', id], env)).printed).toContain(
      'All gateways have been notified.',
    )
    for (const client of everyone) expect((await client.get('/api/snippets?limit=1')).status).toBe(200)
  })

  it('keys of inactive owners are disabled, and enabled everywhere by the next sign-in', async () => {
    const owner = await system.user('away', 'pro')
    const { clients } = await hot(owner)
    const id = (await owner.get('/api/auth/profile')).json<{ id: string }>().id
    const database = new pg.Client(system.databaseUrl)
    await database.connect()
    await database.query(
      `UPDATE identity.account SET signed_in_at = now() - interval '32 days' WHERE account.id = $1`,
      [id],
    )
    await database.end()
    const result = await operate('identity', ['resume', id], {
      DATABASE_URL: system.databaseUrl,
      REDIS_URL: redis.url,
    })
    expect(result.code).toBe(0)
    for (const client of clients) {
      const refused = await client.get('/api/snippets?limit=1')
      expect([refused.status, refused.json().code]).toEqual([403, 'identity_token_required'])
    }
    expect((await (await system.user('away', 'pro', 1)).get('/api/snippets?limit=1')).status).toBe(200)
    expect((await clients[1]?.get('/api/snippets?limit=1'))?.status).toBe(200)
    for (const client of clients) await served(client)
  })

  it('shares withdrawn by an operator are gone everywhere within a second, pages too', async () => {
    const owner = await system.user('taken down', 'pro')
    const share = async () => {
      const made = await owner.post('/api/shares', { tool: 'csv', title: 'Spam', data: { a: 1 } })
      return made.json<{ id: string; share_url: string }>()
    }
    const [first, second, third] = [await share(), await share(), await share()]
    const readers = gateways.map((gateway) => system.anyone(gateway))
    const env = { DATABASE_URL: system.databaseUrl, REDIS_URL: redis.url }
    const shown = await operate('content', ['show', first.share_url, '--json'], env)
    const { account } = JSON.parse(shown.printed) as { account: string }
    expect((await operate('identity', ['show', account], env)).printed).toContain(system.issuer.url)
    const withdraw = async (ids: readonly string[], args: readonly string[]) => {
      for (const reader of readers)
        for (const id of ids) expect((await reader.get(`/api/shares/${id}`)).status).toBe(200)
      const uses = ids.map((id) => readEverywhere(readers, `/api/shares/${id}`))
      const done = await operate('content', ['withdraw', ...args, '--json'], env)
      const endedAt = performance.now()
      expect(JSON.parse(done.printed)).toMatchObject({ withdrawn: ids.length, announced: 'told' })
      for (const use of uses) {
        await use.stopRefused()
        expect(use.lastAfter(endedAt)).toBeLessThan(1_000)
      }
      for (const reader of readers)
        for (const id of ids)
          for (const path of [`/api/shares/${id}`, `/api/shares/${id}/raw`, `/s/${id}`])
            expect((await reader.get(path)).status, path).toBe(404)
    }
    await withdraw([first.id], [first.share_url])
    await withdraw([second.id, third.id], ['--owner', account])
    expect((await owner.get('/api/auth/profile')).json()).toMatchObject({ usage: { shares: 0 } })
    const again = await operate('content', ['withdraw', first.id], env)
    expect([again.code, again.complaint.trim()]).toEqual([1, 'This share does not exist.'])
    expect((await operate('content', ['withdraw', '--owner', account, first.id], env)).code).toBe(2)
  })

  it('an operator’s invalid command is explained, and changes nothing', async () => {
    const env = { DATABASE_URL: system.databaseUrl }
    const run = async (...args: string[]) => {
      const { code, complaint } = await operate('identity', args, env)
      return [code, complaint.split('\n')[0]]
    }
    expect(await operate('identity', ['help'], {})).toMatchObject({ code: 0, complaint: '' })
    expect(await run('suspnd', 'x')).toEqual([2, 'There is no command "suspnd".'])
    expect(await run('suspend')).toEqual([2, 'Name one account by its id.'])
    expect(await run('suspend', 'nobody', '--rason', 'x')).toEqual([2, expect.stringContaining('--rason')])
    expect(await run('suspend', 'nobody')).toEqual([1, 'This account does not exist.'])
    expect(await run('show', 'nobody')).toEqual([1, 'This account does not exist.'])
    expect((await operate('identity', ['ledger'], env)).printed).toBe('# 0 accounts\n')
    // Its input is empty.
    expect(await run('apply-ledger')).toEqual([2, expect.stringContaining('The ledger is incomplete: ')])
  })

  it('no key or its secret is ever stored in Redis', async () => {
    const owner = await system.user('dumped', 'pro')
    const keys = await Promise.all(Array.from({ length: 5 }, () => makeKey(system, owner)))
    for (const { client } of keys) await client.get('/api/snippets')
    const client = createClient({ url: redis.url })
    await client.connect()
    let dump = ''
    let endless = 0
    for await (const names of client.scanIterator({ COUNT: 1_000 })) {
      for (const name of names) {
        dump += `${name} ${await client.get(name)}\n`
        if ((await client.pTTL(name)) === -1) endless += 1
      }
    }
    client.destroy()
    for (const { key } of keys) expect(dump).not.toContain(key.slice(8, -4))
    expect(endless).toBe(0)
  })

  const outages: readonly {
    readonly how: string
    begin(): Promise<void>
    end(): Promise<void>
  }[] = [
    { how: 'killed', begin: () => redis.kill(), end: () => redis.restart() },
    { how: 'frozen', begin: async () => redis.freeze(), end: async () => redis.thaw() },
  ]
  const cases = outages.flatMap((outage) => [
    { ...outage, end: 'revoked' as const, over: outage.end },
    { ...outage, end: 'lapsed' as const, over: outage.end },
  ])

  for (const { how, begin, end, over } of cases) {
    it(`with Redis ${how} at that moment a key that was ${end} stops working within five seconds`, async () => {
      const name = `${how} ${end}`
      const owner = await system.user(name, 'pro')
      const { key, clients } = await hot(owner)
      const use = readEverywhere(clients)
      const fault = begin()
      if (end === 'revoked') expect((await owner.delete(`/api/keys/${key.id}`)).status).toBe(200)
      else await system.setPlan(name, 'free')
      const respondedAt = performance.now()
      await fault
      if (end === 'revoked') expect((await clients[0]?.get('/api/snippets?limit=1'))?.status).toBe(401)
      await use.stopRefused()
      const last = use.lastAfter(respondedAt)
      process.stdout.write(`with Redis ${how} a key that was ${end} worked for ${last.toFixed(0)} ms more\n`)
      expect(last).toBeLessThan(5_000)
      for (const client of clients) expect((await client.get('/api/snippets?limit=1')).status).not.toBe(200)
      const lost = reconnections()
      await over()
      await expect.poll(reconnections).toBeGreaterThan(lost)
    })
  }
})
