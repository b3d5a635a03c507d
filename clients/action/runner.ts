import { randomUUID } from 'node:crypto'
import { appendFile, readFile } from 'node:fs/promises'

/** An error that the workflow's author can fix. */
export class InputError extends Error {
  override readonly name = 'InputError'
}

/** The environment of a job's step. */
export type Env = Readonly<Record<string, string | undefined>>

/** Escapes a value of a workflow command. */
function commandValue(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A text without line breaks, after which a workflow command could begin. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

/** @param write writes to standard output. */
export function githubRunner(env: Env, write: (text: string) => void) {
  const secrets = new Set<string>()
  const clean = (text: string): string =>
    [...secrets].reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
  const append = async (path: string | undefined, text: string): Promise<void> => {
    if (path !== undefined && path !== '') await appendFile(path, clean(text))
  }
  return {
    env,
    /** An input of the step, trimmed; empty if it is not set. */
    input: (name: string) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
    /** Hides this text from everything the step writes from now on. */
    mask(secret: string) {
      if (secret === '') return
      write(`::add-mask::${commandValue(secret)}\n`)
      secrets.add(secret)
    },
    /** A log line; it begins with words of ours. */
    info: (line: string) => write(`${oneLine(clean(line))}\n`),
    /** An annotation of the job. */
    annotate: (level: 'notice' | 'warning' | 'error', message: string) =>
      write(`::${level}::${commandValue(clean(message))}\n`),
    output: (name: string, value: string) => {
      // An unguessable delimiter, so that no value can end itself and begin another output.
      const end = `end-${randomUUID()}`
      return append(env.GITHUB_OUTPUT, `${name}<<${end}\n${value}\n${end}\n`)
    },
    /** Appends to the job summary. */
    summarize: (markdown: string) => append(env.GITHUB_STEP_SUMMARY, `${markdown}\n`),
    /** The payload of the event that started the workflow; `null` if there is none. */
    async event(): Promise<unknown> {
      const path = env.GITHUB_EVENT_PATH ?? ''
      return path === '' ? null : JSON.parse(await readFile(path, 'utf8'))
    },
  }
}

/** The GitHub runner: its environment, its files and the workflow commands on standard output. */
export type Runner = Readonly<ReturnType<typeof githubRunner>>
