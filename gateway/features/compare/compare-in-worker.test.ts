import { describe, expect, it } from 'vitest'
import { RequestAborted } from '../../body/read-body.js'
import { type CompareJob, CompareLimitError, compareBounds, compareInWorker } from './compare-in-worker.js'

const job = (a: string, b: string, options: Partial<CompareJob> = {}): CompareJob => ({
  a: { bytes: Buffer.from(a), pointer: undefined },
  b: { bytes: Buffer.from(b), pointer: undefined },
  key: undefined,
  ignore: undefined,
  numbers: 'exact',
  format: 'changes',
  values: 'json',
  limit: 1_000,
  ...options,
})
const never = new AbortController().signal
const running = (code: string) => ({
  url: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  execArgv: [],
  loadingMs: 0,
})
const patient = { ...compareBounds, timeoutMs: 60_000 }

async function compared(a: string, b: string, options?: Partial<CompareJob>): Promise<string> {
  const outcome = await compareInWorker(job(a, b, options), never, patient)
  return outcome.kind === 'done' ? Buffer.from(outcome.bytes).toString() : outcome.kind
}

describe('a comparison in a thread', () => {
  it('writes values exactly as in the document, or as strings', async () => {
    const [a, b] = ['{"id":12345678901234567890,"v":1.0}', '{"id":12345678901234567891,"v":1.0}']
    const summary =
      '"as":"json","summary":{"added":0,"removed":0,"changed":1,"moved":0,"columns_added":[],"columns_removed":[]}'
    const change = '"op":"replace","pointer":"/id"'
    expect(await compared(a, b)).toBe(
      `{"equal":false,${summary},"changes":[{${change},"from":12345678901234567890,"to":12345678901234567891}],"truncated":false}`,
    )
    expect(await compared(a, b, { values: 'text' })).toContain('"from":"12345678901234567890"')
    expect(await compared(a, b, { format: 'summary' })).toBe(`{"equal":false,${summary}}`)
    expect(await compared(a, b, { format: 'json-patch' })).toContain(
      '"patch":[{"op":"replace","path":"/id","value":12345678901234567891}]',
    )
    expect(await compared(a, a)).toContain('"equal":true')
  })

  it('is stopped at its time limit', async () => {
    const endless = compareInWorker(
      job('{}', '{}'),
      never,
      { ...compareBounds, timeoutMs: 200 },
      running('for(;;);'),
    )
    await expect(endless).rejects.toThrow(new CompareLimitError('time'))
  })

  it('is stopped at its memory limit, and this process survives', async () => {
    const greedy = running('const all = []; for (;;) all.push({ number: all.length })')
    const outcome = compareInWorker(job('{}', '{}'), never, { timeoutMs: 60_000, heapMegabytes: 16 }, greedy)
    await expect(outcome).rejects.toThrow(new CompareLimitError('memory'))
  })

  it('is stopped when the client disconnects', async () => {
    const abort = new AbortController()
    const endless = compareInWorker(job('{}', '{}'), abort.signal, patient, running('for(;;);'))
    abort.abort()
    await expect(endless).rejects.toThrow(RequestAborted)
    await expect(compareInWorker(job('{}', '{}'), abort.signal)).rejects.toThrow(RequestAborted)
  })

  it('rejects if the thread exits without an outcome or throws', async () => {
    const run = (code: string) => compareInWorker(job('{}', '{}'), never, patient, running(code))
    await expect(run('')).rejects.toThrow('ended with 0')
    await expect(run('throw new RangeError("broken")')).rejects.toThrow('broken')
  })

  it('gets no environment', async () => {
    const reporting =
      'import { parentPort } from "node:worker_threads"; parentPort.postMessage(Object.keys(process.env))'
    expect(await compareInWorker(job('{}', '{}'), never, patient, running(reporting))).toEqual([])
  })
})
