import { afterAll, describe, expect, it } from 'vitest'

import { areInstalled } from '#libs/testing/programs.js'
import type { JobBounds, JobNote, ToolJob } from '../domain/job.js'
import { inputOf, minify, patient, textOf } from '../testing/plain-job.js'
import type { MessageFromChild } from './child-messages.js'
import { type ChildPool, createChildPool } from './child-pool.js'
import { type JobChild, jobEntry, startChild } from './child-process.js'
import { childRunner } from './child-runner.js'

const { signal } = new AbortController()
const notes: JobNote[] = []
const started: number[] = []
const pool = createChildPool((memory) => {
  started.push(memory.heapMegabytes)
  return startChild(jobEntry, memory)
})
const runner = childRunner(pool)
afterAll(() => pool.close())

const run = (job: ToolJob, input: AsyncIterable<Uint8Array>, bounds: JobBounds = patient) =>
  runner.run({ job, bounds, inputs: [input], onNote: (note) => notes.push(note), signal })

const anyCode = new URL('./testing/child-of-any-code.mjs', import.meta.url)

/** Runs code of any kind as a job. */
function running(code: string, { bounds = patient, signal: ends = signal } = {}) {
  const own = createChildPool((memory) => startChild({ url: anyCode, execArgv: [], loadingMs: 0 }, memory))
  const job = { ...minify, options: { code } }
  const output = childRunner(own).run({ job, bounds, inputs: [inputOf()], onNote: () => {}, signal: ends })
  return textOf(output).finally(own.close)
}

describe('a job in a child process', () => {
  it('gives its output whatever the chunks of its input, and the child runs the next one', async () => {
    expect(await textOf(run(minify, inputOf('[ 1', '2,', ' "x', '" ]')))).toBe('[12,"x"]')
    expect(await textOf(run(minify, inputOf('[ 2 ]')))).toBe('[2]')
    expect(started).toHaveLength(1)
  })

  it('gives its output in messages of at most 64 KiB, however much a tool makes at once', async () => {
    const text = 'x'.repeat(300_000)
    const job: ToolJob = { kind: 'tool', name: 'json-to-yaml', options: {} }
    const chunks: Uint8Array[] = []
    for await (const chunk of run(job, inputOf(JSON.stringify(text)))) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe(`${text}\n`)
    expect(Math.max(...chunks.map(({ length }) => length))).toBe(65_536)
  })

  it('says what its tool notes, before the first output', async () => {
    const job: ToolJob = { kind: 'tool', name: 'sql-format', options: { dialect: 'transactsql' } }
    const output = run(job, inputOf('select 1;\nselect a||b'))
    const { value } = await output.next()
    expect(Buffer.from(value ?? []).toString()).toBe('select\n  1;\n\nselect a||b\n')
    expect(notes).toMatchObject([{ message: expect.any(String), position: { line: 2, column: 9 } }])
    await output.return()
  })

  it('has up to 20 notes, of which the last says that there are more', async () => {
    notes.length = 0
    const job: ToolJob = { kind: 'tool', name: 'sql-format', options: { dialect: 'transactsql' } }
    await textOf(run(job, inputOf('select a||b;\n'.repeat(100))))
    expect(notes).toHaveLength(20)
    const saying = notes.map(({ message }) => message.endsWith('There may be more such notes.'))
    expect(saying).toEqual([...Array(19).fill(false), true])
  })

  it('says what is wrong with its input, and where', async () => {
    await expect(textOf(run(minify, inputOf('[1,\n', 'oops]')))).rejects.toMatchObject({
      code: 'invalid_input',
      details: { line: 2 },
    })
  })

  it('reads no further than its output is taken', async () => {
    let read = 0
    async function* endless() {
      yield Buffer.from('[')
      for (;;) {
        read += 1
        yield Buffer.from(`"${'x'.repeat(65_536)}",`)
      }
    }
    const output = run(minify, endless())
    expect((await output.next()).value?.length).toBeGreaterThan(0)
    expect(read).toBeLessThan(100)
    await output.return()
  })

  it('fails as its input does', async () => {
    async function* gone() {
      yield Buffer.from('[')
      throw new Error('gone')
    }
    await expect(textOf(run(minify, gone()))).rejects.toThrow('gone')
  })

  it('is stopped when it never ends', async () => {
    const endless = running('for(;;);', { bounds: { ...patient, workMs: 200 } })
    await expect(endless).rejects.toMatchObject({ code: 'tool_too_large' })
  })

  it.each([
    ['many small values', 'const all=[];for(;;)all.push({number:all.length})'],
    ['one string that does not fit', `let text='中'.repeat(2**28);text+=text;Buffer.from(text+'x')`],
    ['an abort', 'process.abort()'],
    ['a signal to itself', `process.kill(process.pid,'SIGKILL')`],
  ])('that takes all memory by %s is 413, and this process and other jobs live', async (_name, code) => {
    await expect(running(code)).rejects.toMatchObject({ kind: 'too-large', code: 'tool_too_large' })
    expect(await textOf(run(minify, inputOf('[ 3 ]')))).toBe('[3]')
  })

  it.skipIf(!areInstalled('prlimit'))(
    'that takes all memory beside the heap is 413 (needs prlimit)',
    { timeout: 30_000 },
    async () => {
      const greedy = running('const all=[];for(;;)all.push(new Uint8Array(10_000_000).fill(1))')
      await expect(greedy).rejects.toMatchObject({ kind: 'too-large', code: 'tool_too_large' })
    },
  )

  it('ends with the signal of its caller, and its child with it', async () => {
    const stopping = new AbortController()
    const ended = running('for(;;);', { signal: stopping.signal })
    stopping.abort(new Error('no longer wanted'))
    await expect(ended).rejects.toThrow('no longer wanted')
  })
})

/**
 * A child that has used so much processor time by the first, the second and each further time that it is asked.
 * @param doneAt the time at which it is done.
 */
function childOf(usedMs: (asked: number) => number, doneAt: number): ChildPool {
  let asked = 0
  let tell = (_message: MessageFromChild | null): void => {}
  const child: JobChild = {
    ...{ loadingMs: 0, residentBytes: () => 0, isAlive: () => true },
    ...{ send() {}, kill() {}, ref() {}, unref() {} },
    listen(next) {
      tell = next ?? tell
    },
    cpuMs() {
      asked += 1
      if (asked === doneAt) queueMicrotask(() => tell({ kind: 'done' }))
      return usedMs(asked)
    },
  }
  return { take: async () => ({ child, giveBack() {} }), residentBytes: () => 0, close() {} }
}

describe('a job on a busy machine', () => {
  const bounds = { ...patient, workMs: 20 }
  const done = (pool: ChildPool) =>
    textOf(childRunner(pool).run({ job: minify, bounds, inputs: [inputOf()], onNote: () => {}, signal }))
  const tooLarge = { code: 'tool_too_large' }

  it('has its time on a processor, though that takes longer', async () => {
    expect(await done(childOf((asked) => asked * 5, 4))).toBe('')
  })

  it('has no more than that', async () => {
    await expect(done(childOf((asked) => asked * 15, 4))).rejects.toMatchObject(tooLarge)
  })

  it('is stopped if it takes four times as long', async () => {
    await expect(done(childOf(() => 0, 100))).rejects.toMatchObject(tooLarge)
  })
})
