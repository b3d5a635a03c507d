import { describe, expect, it } from 'vitest'
import { cutEvery } from '#libs/testing/cut.js'
import { ToolInputError } from '#libs/tools/tool.js'
import type { ByteSource } from '../../body/body-bytes.js'
import { runInWorker, ToolLimitError, toolBounds } from './run-in-worker.js'

const job = { name: 'json-minify', options: {} }
const patient = { ...toolBounds, workMs: 60_000 }
const running = (code: string) => ({
  url: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  execArgv: [],
  loadingMs: 0,
})

/** Input in these chunks; `stopped` is why it was not read to its end. */
function inputOf(
  chunks: readonly string[],
): ByteSource & { readonly read: () => number; stopped: Error | null } {
  let at = 0
  return {
    stopped: null,
    read: () => at,
    async next() {
      const chunk = chunks[at++]
      return chunk === undefined ? null : Buffer.from(chunk)
    },
    stop(reason) {
      this.stopped = reason
    },
  }
}

async function all(output: ByteSource): Promise<string> {
  let text = ''
  for (let chunk = await output.next(); chunk !== null; chunk = await output.next()) text += chunk.toString()
  return text
}

describe('a tool in a thread', () => {
  it('gives its output whatever the chunks of its input', async () => {
    const input = inputOf(['[ 1', '2,', ' "x', '" ]'])
    expect(await all(runInWorker(job, input, patient))).toBe('[12,"x"]')
  })

  it('says what is wrong with its input, and where', async () => {
    const output = runInWorker(job, inputOf(['[1,\n', 'oops]']), patient)
    const error = await all(output).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ToolInputError)
    expect(error).toMatchObject({ position: { line: 2 } })
  })

  it('reads no further than its output is taken', async () => {
    const chunk = `"${'x'.repeat(65_536)}",`
    const input = inputOf(['[', ...Array.from({ length: 400 }, () => chunk), '0]'])
    const output = runInWorker(job, input, patient)
    const first = await output.next()
    expect(first?.length).toBeGreaterThan(0)
    expect(input.read()).toBeLessThan(100)
    output.stop(new Error('enough'))
    expect(input.stopped?.message).toBe('enough')
    await expect(all(output)).rejects.toThrow('enough')
  })

  it('fails as its input does', async () => {
    const input: ByteSource = { next: () => Promise.reject(new Error('gone')), stop: () => {} }
    await expect(all(runInWorker(job, input, patient))).rejects.toThrow('gone')
  })

  it('is stopped when it never ends', async () => {
    const endless = runInWorker(job, inputOf([]), { ...toolBounds, workMs: 200 }, running('for(;;);'))
    await expect(endless.next()).rejects.toThrow(new ToolLimitError('time'))
  })

  it('ends in time also for a client that reads on and on', async () => {
    const endless: ByteSource = { next: async () => Buffer.from(`"${'x'.repeat(65_536)}",`), stop: () => {} }
    const input = inputOf(['['])
    const next = async (): Promise<Buffer | null> => (await input.next()) ?? endless.next()
    const output = runInWorker(job, { ...input, next }, { ...patient, totalMs: 2_000 })
    const read = async (): Promise<void> => {
      while ((await output.next()) !== null);
    }
    await expect(read()).rejects.toThrow(new ToolLimitError('time'))
  })

  it('is stopped when it takes too much memory, and this process lives', async () => {
    const greedy = running('const all = []; for (;;) all.push({ number: all.length })')
    const output = runInWorker(job, inputOf([]), { ...patient, heapMegabytes: 16 }, greedy)
    await expect(output.next()).rejects.toThrow(new ToolLimitError('memory'))
  })

  it.each([
    ['json-query', { path: '$[?@ == $[1]]' }, `[[${'1,'.repeat(1_200_000)}1],[${'1,'.repeat(1_200_000)}1]]`],
    ['json-query', { path: '$[::-1]' }, `[${'1,'.repeat(6_000_000)}1]`],
    ['csv-format', { from: 'comma', columns: ['a'] }, `a${','.repeat(6_000_000)}\n`],
    ['csv-to-json', { separator: 'comma' }, `a${','.repeat(2_000_000)}\n1\n`],
  ])('of %s %j never ends this process, however many values a document has', async (name, options, text) => {
    let bytes = 0
    const chunks = cutEvery(Buffer.from(text), 1_000_000).map(String)
    const output = runInWorker({ name, options }, inputOf(chunks), patient)
    for (let chunk = await output.next(); chunk !== null; chunk = await output.next()) bytes += chunk.length
    expect(bytes).toBeGreaterThan(0)
  })

  it('that ends without having finished is an error', async () => {
    await expect(runInWorker(job, inputOf([]), patient, running('')).next()).rejects.toThrow('ended with 0')
  })
})
