import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLogFile } from './log-file.js'
import { terminalLine } from './terminal-line.js'

/** A process that is to run for as long as the system does. */
export interface ProcessSpec {
  readonly name: string
  /** Options of node itself. */
  readonly nodeArgs: readonly string[]
  /** The script that node runs. */
  readonly script: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: string
  /** Milliseconds from SIGTERM until it is killed. */
  readonly graceMs: number
}

/** Where the supervisor reports what a person should see. */
export interface SupervisorEvents {
  /** A line for the terminal. */
  say(line: string): void
  /** It ended although nobody asked it to; it is started again unless this returns false. */
  ended(name: string, code: number | null, lastWords: string): boolean
}

/** A process that is kept running. */
export interface SupervisedProcess {
  readonly name: string
  /** Of the process that runs now; `undefined` between two. */
  pid(): number | undefined
  /** Ends it for good; resolves when it is gone. */
  stop(): Promise<void>
}

const backoffMs = { first: 250, max: 10_000, forgetAfter: 30_000 }
const lastWordsBytesMax = 4_000

function onLines(stream: Readable | null, take: (line: string) => void): void {
  if (stream !== null)
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', take)
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', (code) => resolve(code))
    child.once('error', () => resolve(null))
  })
}

/**
 * Starts a process, writes what it prints to its log, shows its errors, and starts it again when it ends by itself, each
 * time a little later unless it ran well for a while. It has a session of its own, so that a Ctrl-C reaches us alone and
 * we choose the order of stopping; and a channel to us whose end tells it that we are gone.
 */
export function supervise(spec: ProcessSpec, events: SupervisorEvents): SupervisedProcess {
  const log = openLogFile(spec.logFile)
  const abort = new AbortController()
  let child: ChildProcess | undefined
  let lastWords = ''

  const runOnce = async (): Promise<number | null> => {
    lastWords = ''
    const running = spawn(process.execPath, [...spec.nodeArgs, spec.script], {
      env: spec.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    })
    child = running
    for (const stream of [running.stdout, running.stderr])
      stream?.on('data', (chunk: Buffer) => log.write(chunk))
    onLines(running.stdout, (line) => {
      const shown = terminalLine(spec.name, line)
      if (shown !== null) events.say(shown)
    })
    onLines(running.stderr, (line) => {
      lastWords = `${lastWords}${line}\n`.slice(-lastWordsBytesMax)
    })
    const code = await exitOf(running)
    child = undefined
    return code
  }

  const keepRunning = async (): Promise<void> => {
    let delayMs = backoffMs.first
    while (!abort.signal.aborted) {
      const startedAt = Date.now()
      const code = await runOnce()
      if (abort.signal.aborted || !events.ended(spec.name, code, lastWords.trim())) break
      if (Date.now() - startedAt > backoffMs.forgetAfter) delayMs = backoffMs.first
      await sleep(delayMs, undefined, { signal: abort.signal }).catch(() => {})
      delayMs = Math.min(delayMs * 2, backoffMs.max)
    }
    log.close()
  }

  const done = keepRunning()
  return {
    name: spec.name,
    pid: () => child?.pid,
    async stop() {
      abort.abort()
      child?.kill('SIGTERM')
      const killer = setTimeout(() => child?.kill('SIGKILL'), spec.graceMs)
      await done
      clearTimeout(killer)
    },
  }
}
