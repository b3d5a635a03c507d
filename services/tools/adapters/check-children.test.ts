import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkAddressLimits, checkChildren, checkSpools } from './check-children.js'
import { createChildPool } from './child-pool.js'
import { jobEntry, startChild } from './child-process.js'
import { childRunner } from './child-runner.js'
import { fileSpools } from './file-spools.js'

afterEach(() => vi.unstubAllEnvs())

describe('the doctor of jobs', () => {
  it('runs a job in a child process', async () => {
    const pool = createChildPool((memory) => startChild(jobEntry, memory))
    try {
      expect(await checkChildren(childRunner(pool))).toMatchObject({ verdict: 'ok' })
    } finally {
      pool.close()
    }
  })

  it('reports a child that cannot be started, and one that answers wrongly', async () => {
    const refused = createChildPool(() => Promise.reject(new Error('spawn EAGAIN')))
    expect(await checkChildren(childRunner(refused))).toMatchObject({
      verdict: 'problem',
      message: expect.stringContaining('EAGAIN'),
      remedy: expect.stringContaining('ulimit -u'),
    })
    async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
    expect(await checkChildren({ run: nothing })).toMatchObject({ verdict: 'problem' })
  })

  it('warns if address spaces cannot be limited', async () => {
    expect(await checkAddressLimits('linux', 'no-such-program')).toMatchObject({
      verdict: 'warning',
      remedy: expect.stringContaining('util-linux'),
    })
    expect(await checkAddressLimits('darwin')).toMatchObject({ verdict: 'skipped' })
  })

  it('reports a temporary folder that cannot be written to, or is full', async () => {
    expect(await checkSpools(fileSpools(10_000_000))).toMatchObject({ verdict: 'ok' })
    expect(await checkSpools(fileSpools(1_000))).toMatchObject({ verdict: 'problem' })
    vi.stubEnv('TMPDIR', '/no/such/folder')
    expect(await checkSpools(fileSpools(10_000_000))).toMatchObject({
      verdict: 'problem',
      message: expect.stringContaining('/no/such/folder'),
      remedy: expect.stringContaining('TMPDIR'),
    })
  })
})
