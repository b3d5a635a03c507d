import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'

/** An error that the workflow's author can fix. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** The environment of a job's step. */
export type Env = Readonly<Record<string, string | undefined>>

/** The GitHub runner: its environment, its files and the workflow commands on standard output. */
export interface Runner {
  readonly env: Env
  /** An input of the step, trimmed; empty if it is not set. */
  input(name: string): string
  /** Hides this text from everything the step writes from now on. */
  mask(secret: string): void
  /** A log line; it begins with words of ours. */
  info(line: string): void
  /** An annotation of the job. */
  annotate(level: 'notice' | 'warning' | 'error', message: string): void
  output(name: string, value: string): Promise<void>
  /** Appends to the job summary. */
  summarize(markdown: string): Promise<void>
  /** The payload of the event that started the workflow; `null` if there is none. */
  event(): Promise<unknown>
}

/** Escapes a value of a workflow command. */
function commandValue(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A text without line breaks, after which a workflow command could begin. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** @param write writes to standard output. */
export function githubRunner(env: Env, write: (text: string) => void): Runner {
  const secrets = new Set<string>()
  const clean = (text: string): string =>
    [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
  const append = async (path: string | undefined, text: string): Promise<void> => {
    if (path !== undefined && path !== '') await appendFile(path, clean(text))
  }
  return {
    env,
    input: (name) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
    mask(secret) {
      if (secret === '') return
      write(`::add-mask::${commandValue(secret)}\n`)
      secrets.add(secret)
    },
    info: (line) => write(`${oneLine(clean(line))}\n`),
    annotate: (level, message) => write(`::${level}::${commandValue(clean(message))}\n`),
    output: (name, value) => {
      // An unguessable delimiter, so that no value can end itself and begin another output.
      const end = `end-${randomUUID()}`
      return append(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`)
    },
    summarize: (markdown) => append(env.GITHUB_STEP_SUMMARY, `${markdown}\n`),
    async event() {
      const path = env.GITHUB_EVENT_PATH ?? ''
      return path === '' ? null : JSON.parse(await readFile(path, 'utf8'))
    },
  }
}
