import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'snipkeep-process-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const runProcess = resolve(import.meta.dirname, 'run-process.ts')
const logger = resolve(import.meta.dirname, '../log/logger.ts')

interface Ended {
  readonly code: number | null
  readonly tookMs: number
  readonly output: string
}

/** Runs a process with these start and stop statements; sends `signal` once it is running. */
async function run(
  start: string,
  stop: string,
  signal: NodeJS.Signals | null = null,
  service = 'test',
): Promise<Ended> {
  const script = join(folder, `${Math.random()}.mts`)
  writeFileSync(
    script,
    `import { runProcess } from ${JSON.stringify(runProcess)}
     import { createLogger } from ${JSON.stringify(logger)}
     import { ConfigError } from ${JSON.stringify(resolve(import.meta.dirname, '../config/read-variables.ts'))}
     const busy = setInterval(() => {}, 1000)
     await runProcess(async () => {
       ${start}
       return { log: createLogger('${service}', 'info'), shutdownGraceMs: 700, async stop() { ${stop}; clearInterval(busy); console.log('drained') } }
     })
     console.log('running')`,
  )
  const startedAt = performance.now()
  const child = spawn(process.execPath, ['--conditions=snipkeep-source', '--import', 'tsx', script], {
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (signal !== null && output.includes('running')) child.kill(signal)
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, tookMs: performance.now() - startedAt, output }
}

it('warns about development mode when NODE_ENV is not set', async () => {
  expect((await run('delete process.env.NODE_ENV', '', 'SIGTERM')).output).toContain('NODE_ENV is not set')
  for (const mode of ['development', 'production'])
    expect((await run(`process.env.NODE_ENV = '${mode}'`, '', 'SIGTERM')).output).not.toContain('NODE_ENV')
})

it('warns about a variable that is set although it was removed, and says what to do', async () => {
  const start = "process.env.NODE_ENV = 'test'; process.env.FAST_PATH = 'false'"
  const { output } = await run(start, '', 'SIGTERM', 'gateway')
  expect(output).toContain('FAST_PATH is set but has no effect: remove it')
  expect((await run(start, '', 'SIGTERM', 'web')).output).not.toContain('FAST_PATH')
})

it('exits with 0 on a signal, after draining', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const { code, output } = await run('', '', signal)
    expect(output).toContain('drained')
    expect(code).toBe(0)
  }
})

it.each([
  ['uncaught exception', `setTimeout(() => { throw new Error('planted') }, 50)`],
  ['unhandled rejection', `setTimeout(() => { void Promise.reject(new Error('planted')) }, 50)`],
  ['an unhandled error event', `setTimeout(() => { process.stdin.emit('error', new Error('planted')) }, 50)`],
])('%s is logged, and the process drains and exits with 1', async (_name, start) => {
  const { code, output } = await run(start, '')
  expect(output).toContain('"level":"fatal"')
  expect(output).toContain('planted')
  expect(output).toContain('drained')
  expect(code).toBe(1)
})

it('exits with 1 when draining fails or exceeds the grace period', async () => {
  const endless = await run('', 'await new Promise(() => {})', 'SIGTERM')
  expect(endless.code).toBe(1)
  expect(endless.output).toContain('SHUTDOWN_GRACE_MS')
  const broken = await run('', `throw new Error('planted')`, 'SIGTERM')
  expect(broken.code).toBe(1)
  expect(broken.output).toContain('planted')
})

it('exits with 78 and the problems of an invalid configuration', async () => {
  const { code, output } = await run(`throw new ConfigError(['PORT must be a number.'])`, '')
  expect(code).toBe(78)
  expect(output).toContain('PORT must be a number.')
})
