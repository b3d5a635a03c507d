import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Environment } from '#libs/config/read-variables.js'
import { createPortFinder } from '#libs/runtime/free-port.js'
import type { Env } from './system-process.js'

const startScript = 'deploy/launcher/start.mjs'
const startTimeoutMs = 180_000

/** A system started by `npm start` in its own folder. */
export interface StartedSystem {
  readonly pid: number
  readonly url: string
  token(user: string): Promise<string>
  stop(): Promise<void>
}

/** How the system is started. */
export interface StartOptions {
  /** What the system inherits: the whole environment of this process unless given. */
  readonly inherited?: Environment
  readonly env?: Env
  /** Those of an earlier start in this folder; others that are free unless given. */
  readonly ports?: readonly string[]
  /** What runs Node, such as `taskset -c 0`. */
  readonly command?: readonly string[]
}

/** Free ports for a system. It needs the same ones to find its development users again. */
export async function threePorts(): Promise<readonly string[]> {
  const finder = createPortFinder()
  const ports = await Promise.all([finder.free(), finder.free(), finder.free()])
  return ports.map(String)
}

/**
 * Starts the system as `npm start` does, in this folder; resolves when it says where it is.
 * @throws Error when it ends before.
 */
export async function startAsUsers(
  dataDir: string,
  { inherited = process.env, env: further = {}, command = [], ports }: StartOptions = {},
): Promise<StartedSystem> {
  const [PORT, DEV_ISSUER_PORT, SANDBOX_PORT] = ports ?? (await threePorts())
  const env = { ...inherited, DATA_DIR: dataDir, PORT, DEV_ISSUER_PORT, SANDBOX_PORT, ...further }
  const [program = '', ...args] = [...command, process.execPath, startScript]
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the system could not start: ${said}`)
  })
  ended.catch(() => {})
  // It prints the box with the address once everything is ready.
  await Promise.race([once(child.stdout, 'data', { signal: AbortSignal.timeout(startTimeoutMs) }), ended])
  child.stdout.resume()
  return {
    pid: child.pid ?? 0,
    url: `http://localhost:${PORT}`,
    async token(user) {
      const { stdout } = await promisify(execFile)(process.execPath, [startScript, 'token', user], { env })
      return stdout.trim()
    },
    async stop() {
      child.kill('SIGTERM')
      await ended.catch(() => {})
    },
  }
}

/**
 * Makes a request and reads its JSON, or its text.
 * @throws Error when it has another status.
 */
export async function call(
  url: string,
  status: number,
  init: RequestInit = {},
): Promise<Record<string, unknown>> {
  const response = await fetch(url, init)
  const text = await response.text()
  if (response.status !== status)
    throw new Error(`${init.method ?? 'GET'} ${url}: ${response.status} ${text}`)
  return response.headers.get('content-type')?.startsWith('application/json') === true
    ? JSON.parse(text)
    : { text }
}
