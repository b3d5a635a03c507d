import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

/** The result of a step, as the runner sees it. */
export interface Step {
  readonly code: number | null
  readonly outputs: Readonly<Record<string, string>>
  readonly summary: string
  /** `level: message`, in order. */
  readonly annotations: readonly string[]
  /** What the step asked to mask. */
  readonly masked: readonly string[]
  /** Everything people can read afterwards, before masking. */
  readonly visible: string
}

/** A step: its inputs, and the event of its job. */
export interface StepOptions {
  readonly inputs: Readonly<Record<string, string>>
  readonly event: string
  readonly payload: unknown
  readonly env?: Readonly<Record<string, string>>
}

const action = 'clients/action'

/** Parses values set by heredocs, as the runner does. */
function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n')
  for (let at = 0; at < lines.length - 1; ) {
    const [, name, end] = /^([\w-]+)<<(.+)$/.exec(lines[at] ?? '') ?? []
    if (name === undefined || end === undefined) throw new Error(`not an output: ${lines[at]}`)
    const last = lines.indexOf(end, at)
    outputs[name] = lines.slice(at + 1, last).join('\n')
    at = last + 1
  }
  return outputs
}

function unescaped(value: string): string {
  return value.replaceAll('%0A', '\n').replaceAll('%0D', '\r').replaceAll('%25', '%')
}

/** Inputs as the runner passes them, with the defaults of action.yml. */
async function inputEnv(inputs: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const declared = parse(await readFile(join(action, 'action.yml'), 'utf8')).inputs as Record<
    string,
    { default?: string }
  >
  const unknown = Object.keys(inputs).filter((name) => !(name in declared))
  if (unknown.length > 0) throw new Error(`action.yml has no input ${unknown}`)
  const entries = Object.entries(declared).map(([name, input]) => {
    const value = inputs[name] ?? (input.default?.startsWith('${{') ? '' : (input.default ?? ''))
    return [`INPUT_${name.toUpperCase()}`, value] as const
  })
  return Object.fromEntries(entries)
}

/** Runs the Action's committed bundle in a folder, as GitHub's runner does. */
export async function runStep(
  folder: string,
  { inputs, event, payload, env = {} }: StepOptions,
): Promise<Step> {
  const own = await mkdtemp(join(tmpdir(), 'snipkeep-step-'))
  const files = {
    GITHUB_OUTPUT: join(own, 'output'),
    GITHUB_STEP_SUMMARY: join(own, 'summary'),
    GITHUB_EVENT_PATH: join(own, 'event.json'),
  }
  for (const path of Object.values(files)) await writeFile(path, '')
  await writeFile(files.GITHUB_EVENT_PATH, JSON.stringify(payload))
  const child = spawn(process.execPath, [resolve(action, 'dist/index.mjs')], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      ...(await inputEnv(inputs)),
      ...files,
      GITHUB_EVENT_NAME: event,
      GITHUB_REPOSITORY: 'ada/tools',
      GITHUB_SERVER_URL: 'https://github.com',
      GITHUB_RUN_ID: '77',
      GITHUB_ACTOR: 'ada',
      GITHUB_SHA: '0123456789abcdef0123456789abcdef01234567',
      ...env,
    },
  })
  let log = ''
  child.stdout.on('data', (chunk: Buffer) => {
    log += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk
  })
  const code = await new Promise<number | null>((ended) => child.once('close', ended))
  const [output, summary] = await Promise.all([
    readFile(files.GITHUB_OUTPUT, 'utf8'),
    readFile(files.GITHUB_STEP_SUMMARY, 'utf8'),
  ])
  await rm(own, { recursive: true })
  const lines = log.split('\n')
  const commands = lines.flatMap((line) => [...line.matchAll(/^::([a-z-]+)::(.*)$/g)])
  return {
    code,
    outputs: outputsIn(output),
    summary,
    annotations: commands.flatMap(([, name, value = '']) =>
      name === 'add-mask' ? [] : [`${name}: ${unescaped(value)}`],
    ),
    masked: commands.flatMap(([, name, value = '']) => (name === 'add-mask' ? [unescaped(value)] : [])),
    visible: [...lines.filter((line) => !line.startsWith('::add-mask::')), output, summary].join('\n'),
  }
}
