import type { Environment } from '#libs/config/read-variables.js'
import { bugReport, setVariables } from '#libs/doctor/bug-report.js'
import { ok, skipped } from '#libs/doctor/finding.js'
import { isWell, jsonReport, type Section, textReport } from '#libs/doctor/report.js'
import { redactor } from '#libs/doctor/run-doctor.js'
import { variables } from '../launcher/config.js'
import { dataDirOf, type RunningNote, readRunning } from '../launcher/data-dir.js'
import { checkRunning, checkStopped, nodeFinding } from './embedded-doctor.js'
import { type CheckedProcess, checkedProcesses, processDoctor } from './process-doctor.js'

/** The parsed arguments. */
export interface DoctorOptions {
  readonly processes: readonly CheckedProcess[]
  readonly json: boolean
  /** Whether the output is for a bug report, which contains no values. */
  readonly report: boolean
}

/** @throws Error with the usage. */
export function readOptions(args: readonly string[]): DoctorOptions {
  const names = args.filter((arg) => arg !== '--json' && arg !== '--report')
  const processes = checkedProcesses.filter((name) => names.includes(name))
  if (processes.length < new Set(names).size)
    throw new Error(
      `Usage: doctor [--json | --report] [PROCESS …], where a process is one of ${checkedProcesses.join(', ')}.`,
    )
  return {
    processes: names.length === 0 ? checkedProcesses : processes,
    json: args.includes('--json'),
    report: args.includes('--report'),
  }
}

function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '' || (env[`${name}_FILE`] ?? '') !== ''
}

async function sectionOf(name: CheckedProcess, env: Environment, report: boolean): Promise<Section> {
  const reason = 'PAYMENT_PROVIDER is none: billing does not run'
  if (name === 'billing' && env.PAYMENT_PROVIDER === 'none')
    return { name, findings: [skipped('billing', reason)] }
  return processDoctor(name, env, report)
}

async function ofRunning(
  { pid, added }: RunningNote,
  dataDir: string,
  env: Environment,
  options: DoctorOptions,
): Promise<readonly Section[]> {
  const system = { name: 'npm start', findings: await checkRunning(dataDir, pid) }
  const parts = options.processes.map((name) => sectionOf(name, { ...env, ...added[name] }, options.report))
  return [system, ...(await Promise.all(parts))]
}

async function ofProcesses(env: Environment, options: DoctorOptions): Promise<readonly Section[]> {
  const findings = [nodeFinding(process.versions.node), ok('system', 'the processes run separately')]
  const parts = options.processes.map((name) => sectionOf(name, env, options.report))
  return [{ name: 'this machine', findings }, ...(await Promise.all(parts))]
}

async function checkAll(env: Environment, options: DoctorOptions): Promise<readonly Section[]> {
  const dataDir = dataDirOf(env)
  const running = await readRunning(dataDir)
  if (running !== null) return ofRunning(running, dataDir, env, options)
  if (isSet(env, 'DATABASE_URL')) return ofProcesses(env, options)
  return [{ name: 'npm start', findings: await checkStopped(env) }]
}

function printed(sections: readonly Section[], env: Environment, options: DoctorOptions): string {
  if (!options.report) return options.json ? jsonReport(sections) : textReport(sections)
  const redact = redactor(variables, env)
  const safe = sections.map(({ findings, ...rest }) => ({ ...rest, findings: findings.map(redact) }))
  return bugReport(safe, setVariables(variables, env))
}

/**
 * Checks the installation that the environment describes, or the one that `npm start` runs here, and prints the report.
 * The exit code is 1 if there is a problem.
 */
export async function checkInstallation(env: Environment, args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const sections = await checkAll(env, options)
  process.stdout.write(printed(sections, env, options))
  if (!isWell(sections)) process.exitCode = 1
}
