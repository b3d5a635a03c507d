import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTar } from './read-tar.js'
import { TarError } from './tar-format.js'
import { type TarFile, writeTar } from './write-tar.js'

const modifiedAt = new Date('2026-11-25T03:00:00Z')

async function* given(files: Readonly<Record<string, string>>): AsyncGenerator<TarFile> {
  for (const [path, text] of Object.entries(files)) {
    const bytes = Buffer.from(text)
    yield { path, sizeBytes: bytes.length, content: [bytes] }
  }
}

async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeTar(given(files), modifiedAt)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads an archive that arrives in pieces of this size. */
async function contentsOf(bytes: Buffer, pieceBytes = 700): Promise<Record<string, string>> {
  let at = 0
  const reader = readTar(async () => {
    if (at >= bytes.length) return null
    at += pieceBytes
    return bytes.subarray(at - pieceBytes, at)
  })
  const found: Record<string, string> = {}
  for (let entry = await reader.next(); entry !== null; entry = await reader.next()) {
    const chunks: Uint8Array[] = []
    for (let chunk = await entry.next(); chunk !== null; chunk = await entry.next()) chunks.push(chunk)
    found[entry.path] = Buffer.concat(chunks).toString()
  }
  return found
}

const files = { 'a.json': '{"a":1}', 'data/empty.json': '', 'data/block.json': 'x'.repeat(512) }

/** Runs tar in a folder of its own. */
function inFolder<T>(run: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'))
  try {
    return run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Changes the first header, and mends its checksum. */
async function tampered(change: (header: Buffer) => void): Promise<Buffer> {
  const bytes = await tarOf({ 'a.json': '{}' })
  const header = bytes.subarray(0, 512)
  change(header)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

describe('an archive', () => {
  it.each([1, 511, 512, 513, 100_000])('comes back as it was, in pieces of %i bytes', async (pieceBytes) => {
    expect(await contentsOf(await tarOf(files), pieceBytes)).toEqual(files)
  })

  it('is one that tar unpacks', async () => {
    const bytes = await tarOf(files)
    inFolder((folder) => {
      writeFileSync(join(folder, 'x.tar'), bytes)
      execFileSync('tar', ['xf', 'x.tar'], { cwd: folder })
      for (const [path, text] of Object.entries(files))
        expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
    })
  })

  it('of plain files that tar packed is read', async () => {
    const bytes = inFolder((folder) => {
      writeFileSync(join(folder, 'a.json'), '{}')
      return execFileSync('tar', ['cf', '-', '--format=ustar', 'a.json'], { cwd: folder })
    })
    expect(await contentsOf(bytes)).toEqual({ 'a.json': '{}' })
  })

  it('is refused as truncated wherever it is cut', async () => {
    const bytes = await tarOf({ 'a.json': '{"a":1}' })
    for (const length of [0, 100, 512, 515, 1_000, 1_024, 1_536, bytes.length - 1]) {
      const error = await contentsOf(bytes.subarray(0, length)).catch((caught: unknown) => caught)
      expect(error, `${length}`).toBeInstanceOf(TarError)
      expect(error, `${length}`).toMatchObject({ reason: 'truncated' })
    }
  })

  it('whose file is longer or shorter than announced is not written', async () => {
    for (const sizeBytes of [1, 3]) {
      async function* wrong(): AsyncGenerator<TarFile> {
        yield { path: 'a', sizeBytes, content: [Buffer.from('ab')] }
      }
      const write = async (): Promise<void> => {
        for await (const _chunk of writeTar(wrong(), modifiedAt));
      }
      await expect(write()).rejects.toThrow('announced size')
    }
  })
})

describe('is refused as malformed:', () => {
  const types = { 'hard link': '1', 'symbolic link': '2', device: '3', folder: '5', sparse: 'S', pax: 'x' }
  const others = { 'global pax': 'g', 'GNU long name': 'L', unknown: 'Z' }
  const cases: Record<string, (header: Buffer) => void> = {
    ...Object.fromEntries(
      Object.entries({ ...types, ...others }).map(([name, type]) => [
        name,
        (header: Buffer) => void header.write(type, 156, 'latin1'),
      ]),
    ),
    'a target of a link': (header) => void header.write('/etc/passwd', 157),
    'a prefix': (header) => void header.write('../..', 345),
    'a name with a space': (header) => void header.write('a b', 0),
    'an empty name': (header) => void header.fill(0, 0, 100),
    'another format': (header) => void header.fill(0, 257, 265),
    'a size in base 256': (header) => void header.fill(0x80, 124, 136),
    'a negative size': (header) => void header.write('-0000000001\0', 124),
  }

  it.each(Object.entries(cases))('%s', async (_name, change) => {
    const error = await contentsOf(await tampered(change)).catch((caught: unknown) => caught)
    expect(error).toMatchObject({ name: 'TarError', reason: 'malformed' })
  })

  it('a wrong checksum, content in the padding, and bytes after the end', async () => {
    const bytes = await tarOf({ 'a.json': '{}' })
    const changes: readonly ((copy: Buffer) => Buffer)[] = [
      (copy) => {
        copy[0] = 0x62
        return copy
      },
      (copy) => {
        copy[600] = 1
        return copy
      },
      (copy) => Buffer.concat([copy, Buffer.from('more')]),
      (copy) => Buffer.concat([copy, Buffer.alloc(1_048_577)]),
    ]
    for (const change of changes)
      await expect(contentsOf(change(Buffer.from(bytes)))).rejects.toMatchObject({ reason: 'malformed' })
  })
})
