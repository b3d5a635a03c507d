import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../runtime/is-alive.js'

let dataDir = ''
let owner: ChildProcess | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'snipkeep-abandoned-'))
})

afterEach(async () => {
  owner?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

const script = `
  const { startEmbeddedPostgres } = await import(process.argv[1])
  const { pid } = await startEmbeddedPostgres({ dataDir: process.argv[2], log: () => {} })
  console.log(pid)
`

test('kill -9 of the process that started the server stops the server too', async () => {
  const module = new URL('./start-embedded-postgres.ts', import.meta.url).href
  const args = [
    '--conditions=snipkeep-source',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    script,
    module,
    dataDir,
  ]
  owner = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [printed] = owner.stdout === null ? [''] : await once(owner.stdout, 'data')
  const server = Number(String(printed))
  expect(isAlive(server)).toBe(true)
  owner.kill('SIGKILL')
  await expect.poll(() => isAlive(server)).toBe(false)
})
