import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Environment } from '#libs/config/read-variables.js'
import { readJson } from '#libs/core/read-json.js'
import { type Finding, problem } from '#libs/doctor/finding.js'
import type { Section } from '#libs/doctor/report.js'
import { exitOf } from '../launcher/process-supervisor.js'

/** The processes that check themselves, callers first. */
export const checkedProcesses = [
  'gateway',
  'web',
  'billing',
  'content',
  'identity',
  'activity',
  'tools',
] as const

export type CheckedProcess = (typeof checkedProcesses)[number]

const timeoutMs = 45_000

function scriptOf(process: CheckedProcess): string {
  const folder = process === 'gateway' ? process : `services/${process}`
  return fileURLToPath(new URL(`../../${folder}/main.js`, import.meta.url))
}

function isFinding(value: unknown): value is Finding {
  return (
    typeof value === 'object' &&
    value !== null &&
    'check' in value &&
    typeof value.check === 'string' &&
    'message' in value &&
    typeof value.message === 'string' &&
    'remedy' in value &&
    (value.remedy === null || typeof value.remedy === 'string') &&
    'verdict' in value &&
    /^(ok|warning|problem|skipped)$/.test(String(value.verdict))
  )
}

/** The findings in the output of a process. */
export function findingsIn(printed: string): readonly Finding[] {
  return printed.split('\n').flatMap((line) => {
    const value = readJson(line)
    if (!isFinding(value)) return []
    const { check, verdict, message, remedy } = value
    return [{ check, verdict, message, remedy }]
  })
}

/** The names of the set variables in a process's output for a bug report. */
export function setIn(printed: string): readonly string[] {
  const [, names = ''] = /^\{"process":"\w+","set":\[([^\]]*)\]\}$/m.exec(printed) ?? []
  return [...names.matchAll(/\w+/g)].map(([name]) => name)
}

/** Has a process check itself in this environment. For a `report`, it names set variables without their values. */
export async function processDoctor(
  name: CheckedProcess,
  env: Environment,
  report: boolean,
): Promise<Section> {
  const args = [scriptOf(name), 'doctor', '--json', ...(report ? ['--report'] : [])]
  const child = spawn(process.execPath, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  let lastWords = ''
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    lastWords = `${lastWords}${chunk}`.slice(-2_000)
  })
  await exitOf(child)
  const findings = findingsIn(printed)
  if (findings.length > 0) return { name, findings, set: setIn(printed) }
  const why = lastWords.trim().split('\n').at(-1) ?? ''
  const message = `${name} could not check itself${why === '' || report ? '' : `: ${why}`}`
  return { name, findings: [problem('doctor', message, 'npm run build, or reinstall the release')] }
}
