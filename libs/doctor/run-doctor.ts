import { readFileSync } from 'node:fs'
import { ConfigError, type Environment } from '../config/read-variables.js'
import { removedVariables } from '../config/removed-variables.js'
import type { Variables } from '../config/variables.js'
import { messageOf } from '../core/message-of.js'
import { bugReport, setVariables, withoutValues } from './bug-report.js'
import { type Finding, ok, problem, skipped, warning } from './finding.js'
import { textReport } from './report.js'

/** Shorter values cannot be distinguished from ordinary words. */
const secretLengthMin = 6

function fromFile(path: string | undefined): string {
  try {
    return path === undefined || path === '' ? '' : readFileSync(path, 'utf8').trimEnd()
  } catch {
    return ''
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value itself, each item of a list, and the password of a URL. */
function partsOf(value: string): readonly string[] {
  const password = URL.canParse(value) ? new URL(value).password : ''
  const items = value.split(',').flatMap((item) => [item, item.replace(/^\d+:/, '')])
  return [value, ...items, password, decoded(password)].map((part) => part.trim())
}

/** Removes the values of secret variables from texts, such as the messages of drivers. */
function redactSecrets(variables: Variables, env: Environment): (text: string) => string {
  const secrets = Object.entries(variables)
    .filter(([, { secret }]) => secret)
    .flatMap(([name]) => [env[name] ?? '', fromFile(env[`${name}_FILE`])])
    .flatMap(partsOf)
    .filter((part) => part.length >= secretLengthMin)
    .sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((safe, secret) => safe.replaceAll(secret, '(secret)'), text)
}

/** In shorter names, one letter more or less makes a different word. */
const lengthMin = 8

/** Whether one letter is missing, extra or different, or two are swapped. */
export function isOneSlipFrom(text: string, other: string): boolean {
  if (text === other || Math.abs(text.length - other.length) > 1) return false
  let same = 0
  while (text[same] === other[same]) same += 1
  const [rest, otherRest] = [text.slice(same), other.slice(same)]
  if (rest.length !== otherRest.length) return rest.slice(1) === otherRest || rest === otherRest.slice(1)
  const swapped = `${rest[1] ?? ''}${rest[0]}${rest.slice(2)}`
  return rest.slice(1) === otherRest.slice(1) || swapped === otherRest
}

/** A warning for every unused variable that is one typo away from one that this process reads. */
export function unknownVariables(variables: Variables, env: Environment): readonly Finding[] {
  const known = Object.entries(variables).flatMap(([name, { secret }]) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  return Object.keys(env).flatMap((name) => {
    if (name.length < lengthMin || known.includes(name)) return []
    const meant = known.find((candidate) => isOneSlipFrom(name, candidate))
    if (meant === undefined || (env[meant] ?? '') !== '') return []
    return [warning('configuration', `${name} is set but unused`, `did you mean ${meant}?`)]
  })
}

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
