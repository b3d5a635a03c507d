import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMembers } from '#libs/core/read-json.js'

/**
 * The part of a log line for the terminal: message and error of an `error` or `fatal` event, else `null`. The whole
 * line is in the log file.
 */
export function terminalLine(name: string, line: string): string | null {
  // Nearly every line is neither, so it is not parsed.
  if (!/"level":"(error|fatal)"/.test(line)) return null
  const { level, err: error, msg: message } = readMembers(line) ?? {}
  if (!/^(error|fatal)$/.test(String(level))) return null
  const cause = typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined
  const text = [message, cause].filter((part) => typeof part === 'string' && part !== '').join(': ')
  return `[${name}] ${text === '' ? line : text}`
}

function makeRoom(path: string): void {
  try {
    renameSync(path, `${path}.1`)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    if (!isGone) throw error
  }
}

/**
 * Appends to the file at `path`. At `bytesMax`, the file is renamed to `path.1`, replacing the previous one; if that
 * fails, it is retried after as many more bytes. A full disk loses lines but stops no process.
 */
export function openLogFile(path: string, bytesMax = 20 * 1024 * 1024) {
  let fd = openSync(path, 'a', 0o600)
  let size = fstatSync(fd).size
  const rotate = (): void => {
    // Also after a failure, so that not every line retries.
    size = 0
    try {
      makeRoom(path)
      const full = fd
      fd = openSync(path, 'a', 0o600)
      closeSync(full)
    } catch {
      // There is nowhere to report it.
    }
  }
  return {
    write(chunk: Uint8Array) {
      try {
        if (size > 0 && size + chunk.length > bytesMax) rotate()
        size += writeSync(fd, chunk)
      } catch {
        // There is nowhere to report it.
      }
    },
    close: () => closeSync(fd),
  }
}

export type LogFile = Readonly<ReturnType<typeof openLogFile>>

/** A process that runs as long as the system. */
export interface ProcessSpec {
  readonly name: string
  /** Options for node itself. */
  readonly nodeArgs: readonly string[]
  readonly script: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: string
  /** The time from SIGTERM to SIGKILL. */
  readonly graceMs: number
}

export interface SupervisorEvents {
  /** Prints a line on the terminal. */
  say(line: string): void
  /** The process ended by itself; it is restarted unless this returns false. */
  ended(name: string, code: number | null, lastWords: string): boolean
}

const backoffMs = { first: 250, max: 10_000, forgetAfter: 30_000 }
const lastWordsBytesMax = 4_000

function onLines(stream: Readable | null, take: (line: string) => void): void {
  if (stream !== null)
    createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', take)
}

/** The exit code of a process, once it has ended and closed its output; `null` if it was killed or could not start. */
export function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('close', resolve)
    child.once('error', () => resolve(null))
  })
}

/**
 * Starts a process, writes its output to its log, shows its errors, and restarts it if it ends by itself, with a
 * growing delay unless it ran well for a while. It has its own session, so that a Ctrl-C reaches only the launcher,
 * which decides the order of stopping; and a channel to the launcher, whose end means that the launcher is gone.
 */
export function supervise(spec: ProcessSpec, events: SupervisorEvents) {
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
    /** `undefined` between an end and the restart. */
    pid: () => child?.pid,
    /** Stops it for good; resolves when it has ended. */
    async stop() {
      abort.abort()
      child?.kill('SIGTERM')
      const killer = setTimeout(() => child?.kill('SIGKILL'), spec.graceMs)
      await done
      clearTimeout(killer)
    },
  }
}

export type SupervisedProcess = Readonly<ReturnType<typeof supervise>>
