import { type ChildProcess, execFile, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { type WorkerEntry, workerEntry } from '#libs/runtime/worker-entry.js'
import type { JobBounds } from '../domain/job.js'
import type { MessageFromChild, MessageToChild } from './child-messages.js'

/** The code of a child. */
export const jobEntry = workerEntry(import.meta.url, 'job-child')

/** A child that waits for a job, or runs one. */
export interface JobChild {
  send(message: MessageToChild): void
  /** Gets its messages, and `null` once it has ended. There is one listener, that of its current job. */
  listen(listener: ((message: MessageFromChild | null) => void) | null): void
  /** Whether it still runs. */
  isAlive(): boolean
  kill(): void
  /** On Linux; 0 elsewhere. */
  residentBytes(): number
  /** The processor time that it has used, in milliseconds; `null` outside Linux, and once it has ended. */
  cpuMs(): number | null
  /** How much longer than its work a job may take because its code has to be loaded, in milliseconds. */
  readonly loadingMs: number
  /** Keeps this process alive, or not. */
  ref(): void
  unref(): void
}

/** The memory that a child may use. */
export type ChildMemory = Pick<JobBounds, 'heapMegabytes' | 'addressMegabytes'>

/** Of a child in its whole life, in seconds; a mistake that makes it spin without its parent ends there. */
const cpuSeconds = 120

async function addressKilobytes(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const found = /^VmSize:\s*(\d+) kB$/m.exec(status)?.[1]
  return found === undefined ? null : Number(found)
}

function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024
  } catch {
    return 0
  }
}

/** Linux counts in hundredths of a second for programs. */
const tickMs = 10

function cpuMs(pid: number): number | null {
  try {
    // The name of the program, in parentheses, may have spaces; after it, the 12th and 13th are user and system time.
    const [, after = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    const fields = after.split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  } catch {
    return null
  }
}

/**
 * On Linux: limits what the child may add to its address space, and its processor time, and makes it the first to be
 * ended if the machine runs out of memory. Elsewhere, or without the program `prlimit`, only the heap is limited.
 */
async function limit(pid: number, { addressMegabytes }: ChildMemory): Promise<void> {
  const used = await addressKilobytes(pid)
  if (used === null) return
  const bytes = (used + addressMegabytes * 1_024) * 1_024
  const args = ['--pid', String(pid), `--as=${bytes}`, `--cpu=${cpuSeconds}`, '--core=0']
  await Promise.all([
    writeFile(`/proc/${pid}/oom_score_adj`, '1000').catch(() => {}),
    new Promise<void>((resolve) => {
      execFile('prlimit', args, () => resolve())
    }),
  ])
}

/** Others go first: requests are served while tools work. */
function yieldToOthers(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already.
  }
}

function isReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('message', () => resolve())
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`a child for jobs ended with ${code ?? signal} at its start`)),
    )
  })
}

/** Tests run the sources, whose loader is a thread that needs memory, too. */
function memoryFor(
  { loadingMs }: WorkerEntry,
  { heapMegabytes, addressMegabytes }: ChildMemory,
): ChildMemory {
  const more = loadingMs === 0 ? 0 : 512
  return { heapMegabytes: heapMegabytes + more, addressMegabytes: addressMegabytes + 2 * more }
}

/**
 * Starts a child process with limits and without anything of our environment; resolves once its code is loaded.
 * @throws Error if it cannot be started.
 */
export async function startChild(entry: WorkerEntry, bounds: ChildMemory): Promise<JobChild> {
  const memory = memoryFor(entry, bounds)
  const child = fork(entry.url, {
    execArgv: [
      ...entry.execArgv,
      `--max-old-space-size=${memory.heapMegabytes}`,
      '--max-semi-space-size=8',
      '--disable-wasm-trap-handler',
    ],
    // Each thread would reserve 64 MB of addresses for an arena of its own.
    env: { MALLOC_ARENA_MAX: '2' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let listener: ((message: MessageFromChild | null) => void) | null = null
  let alive = true
  const over = (): void => {
    alive = false
    listener?.(null)
  }
  child.on('message', (message) => listener?.(message as MessageFromChild))
  child.on('exit', over)
  child.on('error', over)
  await isReady(child)
  const { pid } = child
  if (pid !== undefined) {
    yieldToOthers(pid)
    await limit(pid, memory)
  }
  return {
    loadingMs: entry.loadingMs,
    send(message) {
      if (child.connected) child.send(message, () => {})
    },
    listen(next) {
      listener = next
      if (!alive) next?.(null)
    },
    isAlive: () => alive,
    kill: () => void child.kill('SIGKILL'),
    residentBytes: () => residentBytes(pid ?? 0),
    cpuMs: () => cpuMs(pid ?? 0),
    ref() {
      child.ref()
      child.channel?.ref()
    },
    unref() {
      child.unref()
      child.channel?.unref()
    },
  }
}
