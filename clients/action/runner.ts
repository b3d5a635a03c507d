import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'

/** The environment of a job's step. */
export type Env = Readonly<Record<string, string | undefined>>

/** The machine that runs a step, by its environment, its files and the commands on standard output. */
export interface Runner {
  readonly env: Env
  /** An input of the step without the white space around it; empty where it is not set. */
  input(name: string): string
  /** From now on this never appears in anything that the step writes. */
  mask(secret: string): void
  /** A line of the log; it begins with words of ours. */
  info(line: string): void
  /** An annotation of the job. */
  annotate(level: 'notice' | 'warning' | 'error', message: string): void
  output(name: string, value: string): Promise<void>
  /** Adds to the page of the job. */
  summarize(markdown: string): Promise<void>
  /** The payload of the event that started the workflow; `null` where there is none. */
  event(): Promise<unknown>
}

/** The value of a workflow command: what would end it is escaped. */
function commandValue(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A text without line breaks, after which a workflow command could begin. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** @param write takes what goes to standard output. */
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
      // A line that no one can guess, so that no value can end itself and begin another output.
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
