import { ConfigError, type Environment } from '../config/read-variables.js'
import { removedVariables } from '../config/removed-variables.js'
import type { Variables } from '../config/variables.js'
import { messageOf } from '../core/message-of.js'
import { bugReport, setVariables, withoutValues } from './bug-report.js'
import { type Finding, ok, problem, skipped, warning } from './finding.js'
import { redactSecrets } from './redact.js'
import { textReport } from './report.js'
import { unknownVariables } from './unknown-variables.js'

/** One check. */
export interface Check {
  /** The name of the check if it fails unexpectedly. */
  readonly name: string
  run(): Promise<readonly Finding[]>
}

/** A process that checks itself. */
export interface ProcessChecks<Config> {
  readonly process: string
  readonly variables: Variables
  readonly readConfig: (env: Environment) => Config
  readonly checks: (config: Config) => readonly Check[]
}

/** The timeout of a check; each has shorter ones of its own. */
const checkTimeoutMs = 15_000

function configurationProblem(sentence: string): Finding {
  const name = /^[A-Z][A-Z0-9_]+/.exec(sentence)?.[0]
  const remedy =
    name === undefined ? 'read docs/configuration.md' : `set ${name} as docs/configuration.md says`
  return problem('configuration', sentence, remedy)
}

async function attempt({ name, run }: Check): Promise<readonly Finding[]> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<readonly Finding[]>((resolve) => {
    const finding = problem(
      name,
      `no result within ${checkTimeoutMs / 1_000} s`,
      'check whether the server it asks is overloaded or behind a firewall',
    )
    timer = setTimeout(() => resolve([finding]), checkTimeoutMs)
  })
  try {
    return await Promise.race([run(), tooLong])
  } catch (error) {
    const message = messageOf(error)
    return [problem(name, `could not be checked: ${message}`, 'see the log of the process')]
  } finally {
    clearTimeout(timer)
  }
}

/** The checks of a process: its configuration first, then its dependencies. */
export async function runChecks<Config>(
  { process: name, variables, readConfig, checks }: ProcessChecks<Config>,
  env: Environment,
): Promise<readonly Finding[]> {
  const safe = redactSecrets(variables, env)
  const findings = await checkAll(() => checks(readConfig(env)))
  const removed = removedVariables(name, env).map((one) =>
    warning('configuration', `${one.name} is set but has no effect`, one.remedy),
  )
  return [...findings, ...removed, ...unknownVariables(variables, env)].map(
    ({ message, remedy, ...rest }) => ({
      ...rest,
      message: safe(message),
      remedy: remedy === null ? null : safe(remedy),
    }),
  )
}

/** Removes the values of variables from a finding. */
export function redactor(variables: Variables, env: Environment): (finding: Finding) => Finding {
  const redact = withoutValues(variables, env)
  return ({ message, remedy, ...rest }) => ({
    ...rest,
    message: redact(message),
    remedy: remedy === null ? null : redact(remedy),
  })
}

async function checkAll(prepare: () => readonly Check[]): Promise<readonly Finding[]> {
  try {
    const checks = prepare()
    const found = await Promise.all(checks.map(attempt))
    return [ok('configuration', 'all variables are valid'), ...found.flat()]
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [
      ...error.problems.map(configurationProblem),
      skipped('everything else', 'nothing can be checked without a valid configuration'),
    ]
  }
}

/** The destination and format of the findings. */
export interface DoctorOutput {
  /** Whether a person reads them: then it is a text report, else a line of JSON for each finding. */
  readonly text: boolean
  /** Whether it is for a bug report: then findings contain no values, and the names of set variables are included. */
  readonly report: boolean
  write(text: string): void
}

function standardOutput(): DoctorOutput {
  const report = process.argv.includes('--report')
  return {
    text: (process.stdout.isTTY || report) && !process.argv.includes('--json'),
    report,
    write: (text) => void process.stdout.write(text),
  }
}

/**
 * The `doctor` command of a process: a report in a terminal; a line of JSON for each finding for programs or with
 * `--json`; with `--report` the content of a bug report. The exit code is 1 if there is a problem.
 */
export async function runDoctor<Config>(
  target: ProcessChecks<Config>,
  env: Environment,
  output: DoctorOutput = standardOutput(),
): Promise<void> {
  const { process: name, variables } = target
  const found = await runChecks(target, env)
  const findings = output.report ? found.map(redactor(variables, env)) : found
  const set = output.report ? setVariables(variables, env) : []
  if (output.text)
    output.write(output.report ? bugReport([{ name, findings }], set) : textReport([{ name, findings }]))
  else {
    for (const finding of findings) output.write(`${JSON.stringify({ process: name, ...finding })}\n`)
    if (output.report) output.write(`${JSON.stringify({ process: name, set })}\n`)
  }
  if (findings.some(({ verdict }) => verdict === 'problem')) process.exitCode = 1
}
