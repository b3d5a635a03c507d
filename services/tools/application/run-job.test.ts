import { describe, expect, it } from 'vitest'
import { fileSpools } from '../adapters/file-spools.js'
import { outputBytesMax } from '../domain/job.js'
import type { JobRunner, ToolsPorts } from '../ports.js'
import { manualClock } from '../testing/manual-clock.js'
import { holder, inputOf, minify, textOf } from '../testing/plain-job.js'
import { createJobSlots } from './job-slots.js'
import { runJob } from './run-job.js'

const chunk = Buffer.alloc(1_000_000, 'x')

function setUp(run: JobRunner['run'], spooledBytesMax = 100_000_000) {
  const clock = manualClock()
  const ports: ToolsPorts = { ...clock, runner: { run }, spools: fileSpools(spooledBytesMax) }
  const slots = createJobSlots(ports)
  const stopping = new AbortController()
  const request = {
    holder: holder('a'),
    job: minify,
    inputBytes: 3,
    inputs: [inputOf('[1]')],
    onNote: () => {},
    signal: stopping.signal,
  }
  return { slots, stopping, output: runJob(ports, slots, request) }
}

describe('a job', () => {
  it('gives its slot back when it has ended, though nobody has read its output', async () => {
    let ended = (): void => {}
    const over = new Promise<void>((resolve) => {
      ended = resolve
    })
    const { output, slots } = setUp(async function* () {
      for (let count = 0; count < 7; count += 1) yield chunk
      ended()
    })
    const first = await output.next()
    await over
    await expect.poll(() => slots.counts().small.running).toBe(0)
    expect((first.value?.length ?? 0) + (await textOf(output)).length).toBe(7_000_000)
  })

  it('makes at most eight times its input, or 8 MB', async () => {
    expect([outputBytesMax(3), outputBytesMax(1_000_000), outputBytesMax(50_000_000)]).toEqual([
      8_000_000, 8_000_000, 400_000_000,
    ])
    let made = 0
    const { output } = setUp(async function* () {
      for (;;) {
        made += 1
        yield chunk
      }
    })
    await expect(textOf(output)).rejects.toMatchObject({ kind: 'too-large', code: 'tool_too_large' })
    expect(made).toBe(9)
  })

  it('ends when there is no room for what nobody reads', async () => {
    const { output, slots } = setUp(async function* () {
      for (;;) yield chunk
    }, 3_000_000)
    await output.next()
    await expect.poll(() => slots.counts().small.running).toBe(0)
    await expect(textOf(output)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('ends with its caller', async () => {
    let isOver = false
    const { output, stopping, slots } = setUp(async function* ({ signal }) {
      try {
        yield chunk
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
      } finally {
        isOver = true
      }
    })
    await output.next()
    stopping.abort(new Error('gone'))
    await expect(textOf(output)).rejects.toThrow('gone')
    expect([isOver, slots.counts().small.running]).toEqual([true, 0])
  })

  it('ends when its reader leaves', async () => {
    const { output, slots } = setUp(async function* ({ signal }) {
      yield chunk
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    await output.next()
    await output.return()
    expect(slots.counts().small.running).toBe(0)
  })
})
