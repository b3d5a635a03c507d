import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openText } from './content-source.js'
import { run } from './run.js'
import { testTerminal } from './testing/test-terminal.js'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'snipkeep-encodings-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(name: string, bytes: Buffer): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

const text = 'id,city\n1,Köln\n2,100 €\n'
const windows = Buffer.from('id,city\n1,K\xf6ln\n2,100 \x80\n', 'latin1')

async function diff(...args: readonly string[]) {
  const { terminal, out, err } = testTerminal(false)
  const code = await run(['diff', ...args], terminal)
  return { code, out: out(), err: err() }
}

describe('a file in another encoding', () => {
  it.each([
    ['windows-1252', windows],
    ['latin1', windows],
    ['utf-16le', Buffer.from(text, 'utf16le')],
    ['auto', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['auto', Buffer.from(Uint32Array.from(`\ufeff${text}`, (unit) => unit.charCodeAt(0)).buffer)],
    ['utf-8', Buffer.from(text)],
  ])('is opened as UTF-8: %s', async (encoding, bytes) => {
    const path = await fileOf('file.csv', bytes)
    const source = await openText(path, testTerminal(false).terminal, encoding)
    const chunks: Uint8Array[] = []
    for await (const chunk of source.open()) chunks.push(chunk)
    expect(Buffer.concat(chunks).toString()).toBe(text)
    expect(source).toMatchObject({ name: 'file.csv', size: Buffer.byteLength(text) })
    await source.close()
  })

  it('is compared with one in UTF-8', async () => {
    const one = await fileOf('windows.csv', windows)
    const same = await fileOf('same.csv', windows)
    const marked = await fileOf('marked.csv', Buffer.from(`\ufeff${text}`, 'utf16le'))
    const plain = await fileOf('plain.csv', Buffer.from(text))
    expect(await diff(marked, plain)).toMatchObject({ code: 0 })
    expect(await diff(one, same, '--encoding', 'windows-1252')).toMatchObject({ code: 0 })
    const other = await fileOf(
      'other.csv',
      Buffer.from(windows.toString('latin1').replace('1,K', '1,B'), 'latin1'),
    )
    expect(await diff(one, other, '--encoding', 'windows-1252')).toMatchObject({
      code: 1,
      out: expect.stringContaining('Köln → Böln'),
    })
  })

  it('is named where it is only likely, and refused where it is wrong', async () => {
    const plain = await fileOf('plain.csv', Buffer.from(text))
    const unmarked = await fileOf('unmarked.csv', Buffer.from(text, 'utf16le'))
    expect(await diff(unmarked, plain)).toMatchObject({
      code: 2,
      err: expect.stringContaining('encoding=utf-16le'),
    })
    const windowsFile = await fileOf('windows.csv', windows)
    expect(await diff(windowsFile, plain)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/windows\.csv:2:4: The text is not UTF-8\. .*encoding=windows-1252/),
    })
    expect(await diff(plain, plain, '--encoding', 'nothing')).toMatchObject({
      code: 2,
      err: 'Error: There is no encoding nothing.\n',
    })
    const odd = await fileOf('odd.csv', Buffer.from([0x41, 0x0a, 0xff]))
    expect(await diff(odd, odd, '--encoding', 'shift_jis')).toMatchObject({
      code: 2,
      err: expect.stringContaining('odd.csv:2:1: The text is not shift_jis.'),
    })
  })
})
