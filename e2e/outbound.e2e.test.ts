import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { makeKey } from './harness/api-keys.js'
import { clientOfJob, type FakeCiIssuer, githubClaims, startFakeCiIssuer } from './harness/ci-issuer.js'
import { signWebhook } from './harness/payment-side.js'
import { checkout, own, subscribeAs } from './harness/subscribe.js'
import { startSystem, type TestSystem } from './harness/system.js'
import type { SystemProcess } from './harness/system-process.js'

const redisUrl = inject('redisUrl')
/** An address that none of our processes may connect to. */
const elsewhere = 'http://evil.example:81/x'

let github: FakeCiIssuer
let system: TestSystem
beforeAll(async () => {
  const recorder = new URL('harness/record-connections.mjs', import.meta.url).href
  github = await startFakeCiIssuer(githubClaims, 'github')
  system = await startSystem({
    payments: {},
    env: {
      TRUSTED_PROXIES: '127.0.0.1/32',
      CI_ISSUERS: `github=github+${github.url}`,
      ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    },
    processEnv: () => ({ NODE_OPTIONS: `--import=${recorder}` }),
  })
})
afterAll(async () => {
  await system?.stop()
  await github?.stop()
})

const hostOf = (url: string): string => new URL(url).host

/** The destinations that each process may, and does, connect to. */
function ways(): Readonly<Record<string, readonly string[]>> {
  const { contents, identities, activities, tools, payments, issuer, databaseUrl, web } = system
  const at = (processes: readonly SystemProcess[]) => processes.map(({ port }) => `127.0.0.1:${port}`)
  const database = hostOf(databaseUrl)
  const redis = redisUrl === null ? [] : [hostOf(redisUrl)]
  const callees = [...at(contents), ...at(identities), ...at(activities)]
  return {
    'gateway-0': [
      ...callees,
      ...at(payments?.billings ?? []),
      ...(payments?.webhookUrls ?? []).map(hostOf),
      hostOf(issuer.url),
      // For its keys, when a job presents its token.
      hostOf(github.url),
      ...at([web, tools]),
      ...redis,
    ],
    web: at(contents),
    'content-0': [database, ...at(identities)],
    // To notify the gateways of changed plans and keys.
    'identity-0': [database, ...redis],
    // To ask what to erase.
    'activity-0': [database, ...at(identities)],
    // What strangers send runs here: it calls no one.
    'tools-0': [],
    'billing-0': [database, ...callees, ...at(payments === null ? [] : [payments.sandbox])],
  }
}

/** A token that names the URL of the keys to verify it with. */
function tokenFromElsewhere(): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = { alg: 'ES256', kid: 'x', jku: elsewhere, x5u: elsewhere, jwk: { kty: 'EC' } }
  return `${part(head)}.${part({ iss: elsewhere, aud: 'snipkeep-tests', sub: 'ann', exp: 9_999_999_999 })}.${'A'.repeat(86)}`
}

/** Uses every feature, and puts another URL wherever callers may write anything. */
async function useEverything(): Promise<void> {
  const headers = {
    Forwarded: `for=1.2.3.4;host=evil.example:81`,
    Referer: elsewhere,
    Origin: 'http://evil.example:81',
    'X-Forwarded-Host': 'evil.example:81',
    'X-Callback-Url': elsewhere,
  }
  const { user: ann } = await subscribeAs(system, 'ann')
  expect((await own(ann)).plan).toBe('pro')
  expect((await ann.post(`/api/tools/json-minify`, { url: elsewhere })).status).toBe(200)
  const statuses: number[] = []
  for (const data of [
    { url: elsewhere, $ref: elsewhere },
    { url: elsewhere, pad: 'x'.repeat(300_000) },
  ]) {
    const body = { tool: 'json', title: elsewhere, data }
    const made = await ann.post('/api/snippets', { ...body, tags: ['evil.example:81'] }, headers)
    const { id } = made.json<{ id: string }>()
    const shared = (await ann.post('/api/shares', body, headers)).json<{ id: string }>()
    const reads = [
      `/api/snippets/${id}`,
      `/api/snippets/${id}/raw`,
      `/api/snippets?q=${encodeURIComponent(elsewhere)}`,
      `/api/shares/${shared.id}`,
      `/api/shares/${shared.id}/raw`,
      `/s/${shared.id}`,
      `/s/${shared.id}?url=${encodeURIComponent(elsewhere)}`,
    ]
    for (const path of reads) statuses.push((await ann.get(path, headers)).status)
    statuses.push((await ann.delete(`/api/shares/${shared.id}`)).status)
  }
  const entry = { tool: 'json', title: elsewhere, metadata: { url: elsewhere } }
  expect((await ann.post('/api/history', entry, headers)).status).toBe(201)
  const key = await makeKey(system, ann, { name: elsewhere })
  statuses.push((await key.client.get('/api/snippets', headers)).status)
  const job = await clientOfJob(system, ann, github, ['read'])
  statuses.push((await job.get('/api/snippets', headers)).status)
  statuses.push((await ann.get('/api/history')).status, (await ann.get('/dashboard', headers)).status)
  expect(new Set(statuses), statuses.join(' ')).toEqual(new Set([200]))
  const forged = { Authorization: `Bearer ${tokenFromElsewhere()}` }
  expect((await system.anyone().get('/api/snippets', forged)).status).toBe(401)
  const bob = await system.user('bob')
  expect((await checkout(bob)).status).toBe(201)
  expect((await checkout(bob, { success_url: elsewhere })).status).toBe(400)
  const event = JSON.stringify({
    id: 'evt_x',
    object: 'event',
    type: 'a.type',
    data: { object: { url: elsewhere } },
  })
  const signed = { 'Stripe-Signature': signWebhook(event) }
  expect((await system.anyone().post('/api/webhooks/stripe', event, signed)).status).toBeLessThan(300)
  // Content delivers events to identity soon after the response.
  const eventTypes = async (): Promise<readonly string[]> =>
    (await ann.get('/api/events')).json<{ events: { type: string }[] }>().events.map(({ type }) => type)
  await expect.poll(eventTypes).toContain('share.created')
}

it('processes connect only to their configured targets, whatever callers send', async () => {
  await useEverything()
  const { gateways, contents, identities, activities, tools, web, payments } = system
  const processes = [
    ...gateways,
    ...contents,
    ...identities,
    ...activities,
    tools,
    web,
    ...(payments?.billings ?? []),
  ]
  const found = await Promise.all(processes.map(async (one) => [one.name, await one.ask('where')] as const))
  const wanted = Object.entries(ways()).map(([name, to]) => [name, [...new Set(to)].sort()] as const)
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted))
})
