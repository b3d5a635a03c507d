import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installCli } from './cli-program.js'

/** The result of one run. */
export interface Ran {
  readonly code: number | null
  readonly out: Buffer
  readonly err: string
}

type Env = Readonly<Record<string, string>>

/** The command line as published, and a folder to use it in. */
export interface CommandLine {
  /** Its home, with `tmp` for temporary files and `bin` with `snipkeep`. */
  readonly folder: string
  /** Its environment, to which a run may add. */
  env: Env
  start(args: readonly string[], more?: Env, nodeFlags?: readonly string[]): ChildProcess
  run(args: readonly string[], input?: string | Buffer, more?: Env): Promise<Ran>
  /** Runs a bash script with `snipkeep` on its PATH. */
  bash(script: string): Promise<Ran>
  stop(): Promise<void>
}

/** Collects a process's output until it ends. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out: Buffer.concat(out), err: Buffer.concat(err).toString() }
}

/** Builds the command line and creates a folder to run it in. */
export async function buildCommandLine(): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), 'snipkeep-cli-'))
  await mkdir(join(folder, 'tmp'))
  const program = await installCli(folder)
  const always = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    TMPDIR: join(folder, 'tmp'),
    SNIPKEEP_SERVER: '',
    SNIPKEEP_KEY: '',
  }
  const commandLine: CommandLine = {
    folder,
    env: {},
    start: (args, more = {}, nodeFlags = []) =>
      spawn(process.execPath, [...nodeFlags, program, ...args], {
        env: { ...always, ...commandLine.env, ...more },
        cwd: folder,
      }),
    run(args, input = '', more) {
      const child = commandLine.start(args, more)
      child.stdin?.on('error', () => undefined)
      child.stdin?.end(input)
      return ended(child)
    },
    bash: (script) =>
      ended(spawn('bash', ['-c', script], { env: { ...always, ...commandLine.env }, cwd: folder })),
    stop: () => rm(folder, { recursive: true, force: true }),
  }
  return commandLine
}
