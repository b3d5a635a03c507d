import { expect, test } from 'vitest'
import { isServerOf, parsePostmasterPid } from './postmaster-pid.js'

const note = '4711\n/proc/self/cwd\n1700000000\n35051\n\n127.0.0.1\n  2097159     32776\nready   \n'

test('the pid file of a running server has its pid, its port and its readiness', () => {
  expect(parsePostmasterPid(note)).toEqual({ pid: 4711, port: 35051, ready: true })
})

test('a starting server is not treated as ready', () => {
  expect(parsePostmasterPid(note.replace('ready   ', 'starting'))?.ready).toBe(false)
  expect(parsePostmasterPid('4711\n/data\n')).toEqual({ pid: 4711, port: null, ready: false })
})

test.each(['', '\n', 'rubbish\n1', '-1\n', '0\n', '1\n', '12 kill\n'])(
  'a damaged pid file (%j) names no process to stop',
  (text) => {
    expect(parsePostmasterPid(text)).toBeNull()
  },
)

test('a process other than this cluster’s Postgres is never mistaken for it', async () => {
  expect(await isServerOf(process.pid, process.cwd())).toBe(false)
})
