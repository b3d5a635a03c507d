import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { fileSpools } from './file-spools.js'

const bytes = (length: number, letter: string): Buffer => Buffer.alloc(length, letter)

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

describe('a spool', () => {
  it('gives what was written, in order, whether it was in memory or in the file', async () => {
    const spool = fileSpools(10_000_000).open()
    const parts = [bytes(600_000, 'a'), bytes(600_000, 'b'), bytes(10, 'c'), bytes(900_000, 'd')]
    for (const part of parts) await spool.write(part)
    spool.end()
    expect((await whole(spool.read())).equals(Buffer.concat(parts))).toBe(true)
    await spool.close()
  })

  it('gives what is written while it is read, and then the failure', async () => {
    const spool = fileSpools(10_000_000).open()
    const read = spool.read()
    const first = read.next()
    await spool.write(bytes(5, 'a'))
    expect(Buffer.from((await first).value ?? []).toString()).toBe('aaaaa')
    await spool.write(bytes(2_000_000, 'b'))
    spool.end(new Error('broken'))
    let length = 0
    const rest = (async () => {
      for await (const chunk of read) length += chunk.length
    })()
    await expect(rest).rejects.toThrow('broken')
    expect(length).toBe(2_000_000)
    await spool.close()
  })

  it('leaves no file with a name, and gives its room back', async () => {
    const spools = fileSpools(3_000_000)
    for (let round = 0; round < 3; round += 1) {
      const spool = spools.open()
      await spool.write(bytes(2_500_000, 'a'))
      await expect(spool.write(bytes(600_000, 'a'))).rejects.toMatchObject({ code: 'unavailable' })
      expect((await readdir(tmpdir())).filter((name) => name.startsWith('snipkeep-output-'))).toEqual([])
      await spool.close()
    }
  })
})
