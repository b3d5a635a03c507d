import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkAddressLimits, checkJob, checkSpools } from './check-children.js'
import { startChild } from './child-process.js'

afterEach(() => vi.unstubAllEnvs())

describe('the doctor of jobs', () => {
  it('runs a job in a child process', async () => {
    expect(await checkJob()).toMatchObject({ verdict: 'ok' })
  })

  it('reports a child that cannot be started, and one that ends at once', async () => {
    expect(await checkJob(() => Promise.reject(new Error('spawn EAGAIN')))).toMatchObject({
      verdict: 'problem',
      message: expect.stringContaining('EAGAIN'),
      remedy: expect.stringContaining('ulimit -u'),
    })
    const missing = new URL('./testing/no-such-child.mjs', import.meta.url)
    const bounds = { heapMegabytes: 96, addressMegabytes: 320 }
    const start = () => startChild({ url: missing, execArgv: [], loadingMs: 0 }, bounds)
    expect(await checkJob(start)).toMatchObject({ verdict: 'problem' })
  })

  it('warns if address spaces cannot be limited', async () => {
    expect(await checkAddressLimits('linux', 'no-such-program')).toMatchObject({
      verdict: 'warning',
      remedy: expect.stringContaining('util-linux'),
    })
    expect(await checkAddressLimits('darwin')).toMatchObject({ verdict: 'skipped' })
  })

  it('reports a temporary folder that cannot be written to, or is full', async () => {
    expect(await checkSpools()).toMatchObject({ verdict: 'ok' })
    expect(await checkSpools(1_000)).toMatchObject({ verdict: 'problem' })
    vi.stubEnv('TMPDIR', '/no/such/folder')
    expect(await checkSpools()).toMatchObject({
      verdict: 'problem',
      message: expect.stringContaining('/no/such/folder'),
      remedy: expect.stringContaining('TMPDIR'),
    })
  })
})
