import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearStaleSocket } from './stale-socket.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-stale-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a killed process’s socket is removed, and one in use is not', async () => {
  const path = join(folder, 'it.sock')
  const listen = `require('node:net').createServer().listen(process.argv[1], () => console.log('listens'))`
  const owner = spawn(process.execPath, ['-e', listen, path])
  await once(owner.stdout, 'data')
  expect(await clearStaleSocket(path)).toBe(false)
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(await readdir(folder)).toEqual(['it.sock'])
  expect(await clearStaleSocket(path)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

// Elsewhere a full backlog looks like a closed socket.
const onLinux = process.platform === 'linux'
const frozen = 'a listener with a full backlog keeps its socket'
test.runIf(onLinux)(onLinux ? frozen : `${frozen} (needs Linux, which reports it)`, async () => {
  const path = join(folder, 'it.sock')
  const listen = `require('node:net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log('listens'))`
  const owner = spawn(process.execPath, ['-e', listen, path])
  await once(owner.stdout, 'data')
  owner.kill('SIGSTOP')
  const callers: Socket[] = []
  const failed = new Promise((resolve) => {
    for (let made = 0; made < 8; made += 1) callers.push(connect(path).on('error', resolve))
  })
  try {
    expect(await failed).toMatchObject({ code: 'EAGAIN' })
    expect(await clearStaleSocket(path)).toBe(false)
    expect(await readdir(folder)).toEqual(['it.sock'])
  } finally {
    for (const caller of callers) caller.destroy()
    owner.kill('SIGKILL')
  }
})

test('a missing socket is fine', async () => {
  const path = join(folder, 'it.sock')
  expect(await clearStaleSocket(path)).toBe(true)
  const server = createServer().listen(path)
  await once(server, 'listening')
  await new Promise((resolve) => server.close(resolve))
})

test('a file that is not a socket is left alone', async () => {
  const path = join(folder, 'letter')
  await writeFile(path, 'dear reader')
  expect(await clearStaleSocket(path)).toBe(false)
  expect(await readFile(path, 'utf8')).toBe('dear reader')
})
