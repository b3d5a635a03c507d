import { resolve } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { ok, skipped } from '#libs/doctor/finding.js'
import { isWell, jsonReport, type Section, textReport } from '#libs/doctor/report.js'
import { type RunningNote, readRunning } from '../local/running-note.js'
import { examineRunning, examineStopped, judgeNode } from './embedded-doctor.js'
import { type ExaminedProcess, examinedProcesses, processDoctor } from './process-doctor.js'

/** Which processes are examined, and for whom the report is. */
export interface DoctorWishes {
  readonly processes: readonly ExaminedProcess[]
  readonly json: boolean
}

/**
 * Reads the arguments of the command.
 * @throws Error that says what they may be.
 */
export function readWishes(args: readonly string[]): DoctorWishes {
  const names = args.filter((arg) => arg !== '--json')
  const processes = examinedProcesses.filter((name) => names.includes(name))
  if (processes.length < new Set(names).size)
    throw new Error(
      `Usage: doctor [--json] [PROCESS …], where a process is one of ${examinedProcesses.join(', ')}.`,
    )
  return { processes: names.length === 0 ? examinedProcesses : processes, json: args.includes('--json') }
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== ''
}

async function sectionOf(name: ExaminedProcess, env: Environment): Promise<Section> {
  const reason = 'PAYMENT_PROVIDER is none: nobody sells anything, and billing does not run'
  if (name === 'billing' && env.PAYMENT_PROVIDER === 'none')
    return { name, findings: [skipped('billing', reason)] }
  return { name, findings: await processDoctor(name, env) }
}

async function ofRunning(
  { pid, added }: RunningNote,
  dataDir: string,
  env: Environment,
  wishes: DoctorWishes,
): Promise<readonly Section[]> {
  const system = { name: 'npm start', findings: await examineRunning(dataDir, pid) }
  const parts = wishes.processes.map((name) => sectionOf(name, { ...env, ...added[name] }))
  return [system, ...(await Promise.all(parts))]
}

async function ofProcesses(env: Environment, wishes: DoctorWishes): Promise<readonly Section[]> {
  const machine = {
    name: 'this machine',
    findings: [judgeNode(process.versions.node), ok('system', 'the processes run by themselves')],
  }
  return [machine, ...(await Promise.all(wishes.processes.map((name) => sectionOf(name, env))))]
}

async function examineAll(env: Environment, wishes: DoctorWishes): Promise<readonly Section[]> {
  const dataDir = resolve((env.DATA_DIR ?? '') === '' ? '.data' : String(env.DATA_DIR))
  const running = await readRunning(dataDir)
  if (running !== null) return ofRunning(running, dataDir, env, wishes)
  if (isSet(env, 'DATABASE_URL')) return ofProcesses(env, wishes)
  return [{ name: 'npm start', findings: await examineStopped(env) }]
}

/**
 * Examines the installation that the environment describes, or the one that `npm start` runs here, and prints the
 * report. The exit code is 1 when there is a problem.
 */
export async function examineInstallation(env: Environment, args: readonly string[]): Promise<void> {
  const wishes = readWishes(args)
  const sections = await examineAll(env, wishes)
  process.stdout.write(wishes.json ? jsonReport(sections) : textReport(sections))
  if (!isWell(sections)) process.exitCode = 1
}
