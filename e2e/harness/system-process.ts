import { type ChildProcess, type Serializable, spawn } from 'node:child_process'

/** The environment of a process, besides PATH. */
export type Env = Readonly<Record<string, string>>

/** One process of the system under test. */
export interface SystemProcess {
  readonly name: string
  readonly port: number
  readonly pid: number
  /** Its log so far. */
  output(): string
  /** Kills it, as in a crash, and resolves when it is gone. */
  kill(): Promise<void>
  /** Asks it to stop and returns its exit code. */
  terminate(): Promise<number | null>
  /** Starts it again with the same configuration on the same port. */
  restart(): Promise<void>
  /** Sends it a message and returns its next one. */
  ask(message: unknown): Promise<unknown>
}

function exited(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

/**
 * Starts a script of the build as a process of the system.
 * @param keepsOutput `false` discards the log, since reading it costs CPU time during measurements.
 */
export function startProcess(
  name: string,
  script: string,
  port: number,
  env: Env,
  keepsOutput = true,
): SystemProcess {
  const output: string[] = []
  const launch = (): ChildProcess => {
    const child = spawn(process.execPath, [script], {
      env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'info', ...env },
      stdio: ['ignore', keepsOutput ? 'pipe' : 'ignore', 'pipe', 'ipc'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()))
    return child
  }
  let child = launch()
  return {
    name,
    port,
    get pid() {
      return child.pid ?? 0
    },
    output: () => output.join(''),
    async kill() {
      child.kill('SIGKILL')
      await exited(child)
    },
    async terminate() {
      child.kill('SIGTERM')
      return exited(child)
    },
    async restart() {
      child = launch()
    },
    ask: (message) =>
      new Promise((resolve) => {
        child.once('message', resolve)
        child.send(message as Serializable)
      }),
  }
}

/** Runs a service's `migrate` command to its end. */
export async function migrate(script: string, env: Env, keepsOutput = true): Promise<void> {
  const child = spawn(process.execPath, [script, 'migrate'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['inherit', keepsOutput ? 'inherit' : 'ignore', 'inherit'],
  })
  const code = await exited(child)
  if (code !== 0) throw new Error(`${script} migrate ended with ${code}`)
}
