import { resolve } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { bugReport, setVariables } from '#libs/doctor/bug-report.js'
import { ok, skipped } from '#libs/doctor/finding.js'
import { isWell, jsonReport, type Section, textReport } from '#libs/doctor/report.js'
import { redactor } from '#libs/doctor/run-doctor.js'
import { variables } from '../local/config.js'
import { type RunningNote, readRunning } from '../local/running-note.js'
import { examineRunning, examineStopped, judgeNode } from './embedded-doctor.js'
import { type ExaminedProcess, examinedProcesses, processDoctor } from './process-doctor.js'

/** Which processes are examined, and for whom the report is. */
export interface DoctorWishes {
  readonly processes: readonly ExaminedProcess[]
  readonly json: boolean
  /** Whether it is for a bug report, without any values. */
  readonly report: boolean
}

/**
 * Reads the arguments of the command.
 * @throws Error that says what they may be.
 */
export function readWishes(args: readonly string[]): DoctorWishes {
  const names = args.filter((arg) => arg !== '--json' && arg !== '--report')
  const processes = examinedProcesses.filter((name) => names.includes(name))
  if (processes.length < new Set(names).size)
    throw new Error(
      `Usage: doctor [--json | --report] [PROCESS …], where a process is one of ${examinedProcesses.join(', ')}.`,
    )
  return {
    processes: names.length === 0 ? examinedProcesses : processes,
    json: args.includes('--json'),
    report: args.includes('--report'),
  }
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== ''
}

async function sectionOf(name: ExaminedProcess, env: Environment, report: boolean): Promise<Section> {
  const reason = 'PAYMENT_PROVIDER is none: billing does not run'
  if (name === 'billing' && env.PAYMENT_PROVIDER === 'none')
    return { name, findings: [skipped('billing', reason)] }
  return processDoctor(name, env, report)
}

async function ofRunning(
  { pid, added }: RunningNote,
  dataDir: string,
  env: Environment,
  wishes: DoctorWishes,
): Promise<readonly Section[]> {
  const system = { name: 'npm start', findings: await examineRunning(dataDir, pid) }
  const parts = wishes.processes.map((name) => sectionOf(name, { ...env, ...added[name] }, wishes.report))
  return [system, ...(await Promise.all(parts))]
}

async function ofProcesses(env: Environment, wishes: DoctorWishes): Promise<readonly Section[]> {
  const machine = {
    name: 'this machine',
    findings: [judgeNode(process.versions.node), ok('system', 'the processes run separately')],
  }
  return [
    machine,
    ...(await Promise.all(wishes.processes.map((name) => sectionOf(name, env, wishes.report)))),
  ]
}

async function examineAll(env: Environment, wishes: DoctorWishes): Promise<readonly Section[]> {
  const dataDir = resolve((env.DATA_DIR ?? '') === '' ? '.data' : String(env.DATA_DIR))
  const running = await readRunning(dataDir)
  if (running !== null) return ofRunning(running, dataDir, env, wishes)
  if (isSet(env, 'DATABASE_URL')) return ofProcesses(env, wishes)
  return [{ name: 'npm start', findings: await examineStopped(env) }]
}

function printed(sections: readonly Section[], env: Environment, wishes: DoctorWishes): string {
  if (!wishes.report) return wishes.json ? jsonReport(sections) : textReport(sections)
  const redact = redactor(variables, env)
  const safe = sections.map(({ findings, ...rest }) => ({ ...rest, findings: findings.map(redact) }))
  return bugReport(safe, setVariables(variables, env))
}

/**
 * Examines the installation that the environment describes, or the one that `npm start` runs here, and prints the
 * report. The exit code is 1 when there is a problem.
 */
export async function examineInstallation(env: Environment, args: readonly string[]): Promise<void> {
  const wishes = readWishes(args)
  const sections = await examineAll(env, wishes)
  process.stdout.write(printed(sections, env, wishes))
  if (!isWell(sections)) process.exitCode = 1
}
