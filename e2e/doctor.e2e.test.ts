import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeWithOwnRedis } from '#libs/testing/describe-with-redis.js'
import { type RedisServer, startRedisServer } from '#libs/testing/redis-server.js'
import { testPort } from '#libs/testing/test-port.js'
import { makeKey } from './harness/api-keys.js'
import { pepper } from './harness/common-env.js'
import { type Diagnosis, environmentOf, runDoctor } from './harness/doctor.js'
import { secretKey, webhookSecrets } from './harness/payment-side.js'
import { startSystem, type TestSystem } from './harness/system.js'
import type { Env } from './harness/system-process.js'

describeWithOwnRedis('the doctor of a running system', () => {
  let redis: RedisServer
  let system: TestSystem

  beforeAll(async () => {
    redis = await startRedisServer(['--requirepass', 'the-word-of-redis'])
    const REDIS_URL = redis.url.replace('redis://', 'redis://:the-word-of-redis@')
    system = await startSystem({ payments: {}, env: { REDIS_URL } })
    await makeKey(system, await system.user('doctored', 'pro'))
  })
  afterAll(async () => {
    await system?.stop()
    await redis?.stop()
  })

  const well = (): Env => ({
    ...environmentOf(system),
    REDIS_URL: redis.url.replace('redis://', 'redis://:the-word-of-redis@'),
  })

  /** The findings that a change of the environment causes. */
  async function withFault(fault: Env): Promise<Diagnosis> {
    const diagnosis = await runDoctor({ ...well(), ...fault })
    expect(diagnosis.code).toBe(1)
    return diagnosis
  }

  const worst = ({ findings }: Diagnosis) => findings.filter(({ verdict }) => verdict === 'problem')

  it('passes all checks, except for what the fake provider lacks', async () => {
    const { code, troubles, findings } = await runDoctor(well())
    expect(troubles).toEqual(['gateway command line: skipped', 'billing webhook: skipped'])
    expect(code).toBe(0)
    expect(new Set(findings.map((finding) => finding.process))).toEqual(
      new Set(['this machine', 'gateway', 'web', 'billing', 'content', 'identity', 'activity', 'tools']),
    )
  })

  it('prints the same for people, one line each', async () => {
    const { code, printed } = await runDoctor(well(), ['gateway', 'web'])
    expect(code).toBe(0)
    expect(printed).toMatch(/^snipkeep doctor\n\nthis machine\n {2}ok {7}node/)
    expect(printed).toMatch(/\n {2}ok {7}public address {5}http:\/\/127\.0\.0\.1:\d+ responds and is ready\n/)
    expect(printed).toMatch(/\n\d+ ok, 0 warning, 0 problem, 1 skipped\n$/)
  })

  it('detects a wrong clock, from every source of time', async () => {
    const shift = pathToFileURL(resolve('e2e/harness/shifted-clock.mjs')).href
    const skewed = await withFault({ NODE_OPTIONS: `--import=${shift}`, CLOCK_SHIFT_MS: '90000' })
    const found = worst(skewed).filter(({ remedy }) => remedy?.includes('timedatectl set-ntp true'))
    expect(new Set(found.map((finding) => `${finding.process} ${finding.check}`))).toEqual(
      new Set([
        'gateway issuer clock',
        'gateway redis clock',
        'content redis clock',
        'identity redis clock',
        'billing database clock',
        'content database clock',
        'identity database clock',
        'activity database clock',
      ]),
    )
  })

  it('detects a target that would be called in plain text, and one without a server', async () => {
    const plain = worst(await withFault({ ACTIVITY_GRPC_TARGET: 'activity.internal:50053' }))
    expect(plain).toContainEqual(
      expect.objectContaining({
        process: 'gateway',
        check: 'configuration',
        message: expect.stringContaining('ACTIVITY_GRPC_TARGET must be a loopback address'),
        remedy: 'set ACTIVITY_GRPC_TARGET as docs/configuration.md says',
      }),
    )
    const silent = worst(await withFault({ ACTIVITY_GRPC_TARGET: '127.0.0.1:1' }))
    expect(silent[0]).toMatchObject({
      process: 'gateway',
      check: 'grpc activity',
      remedy: 'start that process, or fix ACTIVITY_GRPC_TARGET',
    })
  })

  it('detects a missing pepper whose API keys are lost', async () => {
    const found = worst(await withFault({ API_KEY_PEPPER: `2:${pepper}` }))
    expect(found).toMatchObject([{ process: 'identity', check: 'pepper', remedy: 'API_KEY_PEPPER=2:…,1:…' }])
  })

  it('never prints a secret', async () => {
    const faults = {
      REDIS_URL: 'redis://:the-word-of-redis@127.0.0.1:1',
      STRIPE_SECRET_KEY: 'sk_test_of_nobody_at_all',
    }
    const { printed } = await withFault({ ...faults, CONTENT_GRPC_TARGET: '127.0.0.1:1' })
    const password = new URL(system.databaseUrl).password
    const secrets = [pepper, secretKey, ...webhookSecrets, 'the-word-of-redis', 'sk_test_of_nobody', password]
    for (const secret of secrets) expect(printed).not.toContain(secret)
  })
})

describe('the doctor of npm start', () => {
  it('checks the running system, and says afterwards that it is stopped', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-doctored-'))
    const [port, issuer, sandbox] = await Promise.all([testPort(), testPort(), testPort()])
    const env: Env = {
      PATH: process.env.PATH ?? '',
      DATA_DIR: dataDir,
      PORT: String(port),
      DEV_ISSUER_PORT: String(issuer),
      SANDBOX_PORT: String(sandbox),
    }
    const child = spawn(process.execPath, ['deploy/launcher/start.mjs'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise((done) => child.once('exit', done))
    try {
      await new Promise((done) => child.stdout.once('data', done))
      const running = await runDoctor(env)
      expect(running.findings.filter(({ verdict }) => /problem|warning/.test(verdict))).toEqual([])
      expect(running.code).toBe(0)
      expect(running.findings).toContainEqual(
        expect.objectContaining({ process: 'billing', check: 'payment provider', verdict: 'ok' }),
      )
      expect(running.findings).toContainEqual(
        expect.objectContaining({ process: 'tools', check: 'jobs', verdict: 'ok' }),
      )
      const note: unknown = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8'))
      expect(note).toHaveProperty('added.tools.GRPC_HOST', expect.stringMatching(/^unix:/))
    } finally {
      child.kill('SIGTERM')
      await ended
    }
    expect(await readdir(dataDir)).not.toContain('running.json')
    const stopped = await runDoctor(env)
    expect(stopped.troubles).toEqual(['npm start system: skipped'])
    await rm(dataDir, { recursive: true, force: true })
  })
})
