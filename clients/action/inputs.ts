import { basename } from 'node:path'
import { InputError, type Runner } from './runner.js'

/** A file and what to do with it. */
export interface FileInput {
  readonly path: string
  readonly tool: string
  readonly title: string
  /** `null` if it is not saved as a snippet. */
  readonly name: string | null
  /** What to compare it with: a snippet as `@name` or an id, or the link of a share; `null` for nothing. */
  readonly compare: string | null
  /** How it is to be judged; `null` for not at all. */
  readonly check: CheckInput | null
}

/** By the contract of which snippet, `@name` or an id, and what becomes of it. */
export interface CheckInput {
  readonly reference: string
  readonly accept: 'same' | 'allowed' | 'never'
  /** `undefined` for those of the snippet. */
  readonly tool: string | undefined
  readonly title: string | undefined
}

/** The parsed inputs of the step. */
export interface Inputs {
  readonly server: string
  readonly files: readonly FileInput[]
  readonly isShared: boolean
  /** What happens to a file that seems to hold a secret. */
  readonly secrets: 'refuse' | 'warn' | 'off'
  /** Seconds until links expire; `undefined` for as long as the plan allows. */
  readonly expiresIn: number | undefined
  readonly comment: 'auto' | 'always' | 'never'
  readonly failOn: 'never' | 'change'
}

const filesMax = 20
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 }

/** A valid snippet name made from a text such as a branch name: `Feature/Über` becomes `feature-ber`. */
function nameOf(text: string): string | null {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 100)
  return name === '' ? null : name
}

function toolOf(path: string): string {
  return /\.([A-Za-z0-9]{1,16})$/.exec(path)?.[1]?.toLowerCase() ?? 'text'
}

/** A name is normalized as it is when a file is saved. */
function referenceIn(input: string, text: string, problems: string[]): string | null {
  if (text === '') return null
  if (!text.startsWith('@')) return text
  const name = nameOf(text.slice(1))
  if (name === null) problems.push(`${input} "${text}" has no letter from a to z and no digit`)
  return `@${name}`
}

/** The parts of an input, as they are written. */
type WrittenFile = Readonly<Record<'path' | 'tool' | 'title' | 'name' | 'compare', string>>

/** A title as it is saved. */
function titleIn(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}

function fileOf({ path, tool, title, name, compare }: WrittenFile, problems: string[]): FileInput {
  const saved = name === '' ? null : nameOf(name)
  if (name !== '' && saved === null)
    problems.push(`name "${name}" has no letter from a to z and no digit; write another`)
  return {
    path,
    tool: tool || toolOf(path),
    title: titleIn(title) || basename(path),
    name: saved,
    compare: referenceIn('compare', compare, problems),
    check: null,
  }
}

function listed(lines: string, runner: Runner, problems: string[]): readonly FileInput[] {
  for (const other of ['title', 'name', 'compare', 'check', 'accept'])
    if (runner.input(other) !== '') problems.push(`${other} goes with file; in files, each line has its own`)
  const rows = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (rows.length > filesMax) problems.push(`files has ${rows.length} lines; ${filesMax} are the most`)
  return rows.map((row) => {
    const [path = '', tool = '', name = '', compare = '', ...rest] = row.split('|').map((part) => part.trim())
    if (path === '' || rest.length > 0)
      problems.push(`"${row}" in files is not "path | tool | name | compare"`)
    return fileOf({ path, tool: tool || runner.input('tool'), title: '', name, compare }, problems)
  })
}

function filesOf(runner: Runner, problems: string[]): readonly FileInput[] {
  const [file, files] = [runner.input('file'), runner.input('files')]
  if ((file === '') === (files === '')) {
    problems.push('set file, or files with one line per file')
    return []
  }
  if (files !== '') return listed(files, runner, problems)
  const [tool, title, name, compare] = [
    runner.input('tool'),
    runner.input('title'),
    runner.input('name'),
    runner.input('compare'),
  ]
  const read = fileOf({ path: file, tool, title, name, compare }, problems)
  return [{ ...read, check: checkOf(runner, problems) }]
}

function checkOf(runner: Runner, problems: string[]): CheckInput | null {
  const reference = referenceIn('check', runner.input('check'), problems)
  const accept = oneOf(runner, 'accept', ['same', 'allowed', 'never'], 'same', problems)
  const [tool, title] = [runner.input('tool'), titleIn(runner.input('title'))]
  if (reference !== null && !/^(@|[0-9A-Za-z]{22}$)/.test(reference))
    problems.push(`check "${reference}" is no id; write @${reference} for a name`)
  if (reference !== null) return { reference, accept, tool: tool || undefined, title: title || undefined }
  if (runner.input('accept') !== '') problems.push('accept goes with check')
  return null
}

/** Keys are sent there, so plain HTTP is only allowed on the local machine. */
function serverOf(runner: Runner, problems: string[]): string {
  const server = runner.input('server')
  if (!URL.canParse(server)) {
    problems.push('server is no URL; write https://…')
    return server
  }
  const { protocol, hostname, username, password } = new URL(server)
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
  const mayBePlain = isHere || runner.env.SNIPKEEP_ALLOW_INSECURE === 'true'
  if (protocol !== 'https:' && !(protocol === 'http:' && mayBePlain))
    problems.push('server must begin with https://')
  if (username !== '' || password !== '') problems.push('server must not contain a user or password')
  return server.replace(/\/+$/, '')
}

function expiryOf(runner: Runner, problems: string[]): number | undefined {
  const text = runner.input('expires')
  if (text === '') return undefined
  const [, count, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? []
  if (unit === undefined) problems.push(`expires "${text}" is no duration; write 12h or 30d`)
  return Number(count) * (units[unit ?? ''] ?? 1)
}

function oneOf<Choice extends string>(
  runner: Runner,
  name: string,
  choices: readonly Choice[],
  first: Choice,
  problems: string[],
): Choice {
  const text = runner.input(name).toLowerCase() || first
  const found = choices.find((choice) => choice === text)
  if (found === undefined) problems.push(`${name} must be ${choices.join(' or ')}`)
  return found ?? first
}

/** A step must not replace the snippet it fails for: the next run would pass. */
function checkFailOn({ failOn, files }: Inputs, problems: string[]): void {
  if (failOn === 'never') return
  const compared = files.flatMap(({ compare }) => compare ?? [])
  if (compared.length === 0) problems.push('fail-on: change needs compare')
  if (files.some(({ name }) => name !== null && compared.includes(`@${name}`)))
    problems.push('fail-on: change needs a name other than the one in compare, which this step would replace')
}

/**
 * Reads the inputs of the step.
 * @throws InputError that lists everything wrong.
 */
export function readInputs(runner: Runner): Inputs {
  const problems: string[] = []
  const inputs: Inputs = {
    server: serverOf(runner, problems),
    files: filesOf(runner, problems),
    isShared: oneOf(runner, 'share', ['true', 'false'], 'true', problems) === 'true',
    secrets: oneOf(runner, 'secrets', ['refuse', 'warn', 'off'], 'refuse', problems),
    expiresIn: expiryOf(runner, problems),
    comment: oneOf(runner, 'comment', ['auto', 'always', 'never'], 'auto', problems),
    failOn: oneOf(runner, 'fail-on', ['never', 'change'], 'never', problems),
  }
  const names = inputs.files.flatMap(({ name }) => name ?? [])
  if (new Set(names).size < names.length) problems.push('files has the same name twice')
  if (
    !inputs.isShared &&
    inputs.files.some(({ name, compare, check }) => [name, compare, check].every((one) => one === null))
  )
    problems.push('a file has neither a name nor "share: true", so nothing would happen')
  if (inputs.files.some(({ name, check }) => name !== null && check?.reference === `@${name}`))
    problems.push('name is the snippet in check, which gets its versions by checks alone; leave out name')
  checkFailOn(inputs, problems)
  if (problems.length > 0) throw new InputError(`Check the inputs of this step: ${problems.join('; ')}.`)
  return inputs
}
