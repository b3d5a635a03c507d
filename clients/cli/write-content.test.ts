import { execFileSync } from 'node:child_process'
import { lchown, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { terminalSafe, writeOutputFile } from './write-content.js'

async function* chunksOf(...texts: readonly (string | Uint8Array)[]) {
  for (const text of texts) yield Buffer.from(text as string)
}

async function shown(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = []
  for await (const chunk of terminalSafe(chunks)) all.push(chunk)
  return Buffer.concat(all).toString()
}

it.each([
  ['a new title', '\u001b]0;pwned\u0007'],
  ['a color', 'a\u001b[31mb'],
  ['a backspace', 'a\bb'],
  ['a NUL', '\0'],
  ['DEL', '\u007f'],
  ['CSI as one character', '\u009b31m'],
])('%s is not written to a terminal', async (_name, text) => {
  await expect(shown(chunksOf(text))).rejects.toThrow('-o FILE')
})

it('a control character that two chunks share is not written to a terminal', async () => {
  await expect(shown(chunksOf(Uint8Array.of(0xc2), Uint8Array.of(0x9b)))).rejects.toThrow('--raw')
})

it('text in any language is', async () => {
  const text = 'a\tb\r\nÀ é 中 😀 \u00a0'
  expect(await shown(chunksOf(text.slice(0, 4), text.slice(4)))).toBe(text)
})

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-output-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
const { signal } = new AbortController()
const write = (path: string, text: string) => writeOutputFile(bytes(text), path, async () => path, signal)

it('a file appears when it is complete, for its owner alone, and replaces the one before', async () => {
  const path = join(folder, 'out.csv')
  await writeFile(path, 'before', { mode: 0o644 })
  expect(await write(path, 'after')).toBe(path)
  expect(await readFile(path, 'utf8')).toBe('after')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['out.csv'])
})

it('when the bytes end early, the file before stays and nothing is left beside it', async () => {
  const path = join(folder, 'out.csv')
  await writeFile(path, 'before')
  const failing = (async function* (): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half')
    throw new Error('connection lost')
  })()
  await expect(writeOutputFile(failing, path, async () => path, signal)).rejects.toThrow('connection lost')
  expect(await readFile(path, 'utf8')).toBe('before')
  expect(await readdir(folder)).toEqual(['out.csv'])
})

it('a pipe gets the bytes and stays a pipe, also behind a link', async () => {
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')]
  execFileSync('mkfifo', [pipe])
  await symlink(pipe, link)
  for (const path of [pipe, link]) {
    const [text] = await Promise.all([readFile(pipe, 'utf8'), write(path, 'through')])
    expect(text).toBe('through')
  }
  expect((await stat(pipe)).isFIFO()).toBe(true)
  expect((await readdir(folder)).sort()).toEqual(['link', 'pipe'])
})

const isRoot = process.getuid?.() === 0

it.runIf(isRoot).each(['pipe', 'link'])(
  `a %s that another user has put there gets nothing${isRoot ? '' : ' (needs root, to make one)'}`,
  async (kind) => {
    const [pipe, path] = [join(folder, 'elsewhere'), join(folder, 'out.csv')]
    execFileSync('mkfifo', [pipe])
    if (kind === 'link') await symlink(pipe, path)
    else execFileSync('mkfifo', [path])
    await lchown(path, 12_345, 12_345)
    await write(path, 'private')
    expect((await lstat(path)).isFile()).toBe(true)
    expect(await readFile(path, 'utf8')).toBe('private')
  },
)
