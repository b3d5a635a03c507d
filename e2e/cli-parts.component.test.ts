import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandLine, ended } from './harness/command-line.js'
import { type CommandLineWithKey, startCommandLineWithKey } from './harness/command-line-with-key.js'

let started: CommandLineWithKey
let cli: CommandLine
let recorder: string

/** Writes the address of each module that Node loads into the file of `MODULES`. */
const hooks = `
import { appendFileSync } from 'node:fs'
export async function load(url, context, next) {
  appendFileSync(process.env.MODULES, url + '\\n')
  return next(url, context)
}`

function asAddress(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`
}

beforeAll(async () => {
  started = await startCommandLineWithKey()
  ;({ cli } = started)
  recorder = asAddress(
    `import { register } from 'node:module'; register(${JSON.stringify(asAddress(hooks))})`,
  )
})
afterAll(() => started?.stop())

/** The files of the program that a command loads, with their texts. */
async function loaded(...args: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const list = `${cli.folder}/modules-${args.join('-').replaceAll(/\W/g, '')}`
  const child = cli.start(args, { MODULES: list }, ['--import', recorder])
  child.stdin?.end('{}')
  const { code, err } = await ended(child)
  expect(code, err).toBe(0)
  const urls = (await readFile(list, 'utf8')).split('\n').filter((url) => url.startsWith('file:'))
  const paths = urls.map((url) => fileURLToPath(url))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)))
}

/** What only one part of the program says. */
const marks = {
  tools: 'json-sort-keys',
  secrets: 'a GitHub token',
  assistants: 'protocolVersion',
  signIn: 'authorization_endpoint',
  encodings: 'x-mac-cyrillic',
  lists: 'Showing ',
} as const

async function partsOf(...args: readonly string[]): Promise<readonly string[]> {
  const texts = [...(await loaded(...args)).values()]
  return Object.entries(marks).flatMap(([part, mark]) =>
    texts.some((text) => text.includes(mark)) ? [part] : [],
  )
}

it.each(['--version', '-V'])('%s loads nothing but the version', async (flag) => {
  expect([...(await loaded(flag)).keys()].map((path) => basename(path))).toEqual(['snipkeep.mjs'])
})

it.each(['--version', '-V'])('%s ends well when nobody reads it', async (flag) => {
  const child = cli.start([flag])
  child.stdout?.destroy()
  const { code, err } = await ended(child)
  expect([code, err]).toEqual([0, ''])
})

it('a command loads its own part of the program', async () => {
  const id = (await cli.run(['save', '-t', 'text', '--name', 'parts'], 'x')).out.toString().trim()
  expect(await partsOf('get', id)).toEqual([])
  expect(await partsOf('list')).toEqual(['lists'])
  expect(await partsOf('save', '-', '-t', 'text')).toEqual(['encodings'])
  expect(await partsOf('share', '-', '-t', 'text')).toEqual(['secrets', 'encodings'])
  expect(await partsOf('tool', 'json-minify', '-')).toContain('tools')
})

it('each mark is in the program', async () => {
  const [program = ''] = (await loaded('-V')).keys()
  const folder = join(dirname(program), 'parts')
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  for (const mark of Object.values(marks)) expect(texts.join('')).toContain(mark)
})
