import { expect, it } from 'vitest'
import type { Progress } from '../document/document-reader.js'
import { receiveSides, type WantedSide } from './receive-sides.js'

const fetched = (rawPath: string, sizeBytes = 0): WantedSide => ({
  kind: 'fetched',
  wanted: { rawPath, headers: {}, sizeBytes },
})
const auto = { encoding: 'auto' } as const
const file: WantedSide = { kind: 'file', file: new Blob(['a file']) }

it('two documents arrive together, a file without being sent anywhere', async () => {
  const seen: Progress[] = []
  const asked: unknown[] = []
  const fetching: typeof fetch = async (path) => {
    asked.push(path)
    return new Response('fetched')
  }
  const bytes = await receiveSides(fetching, [fetched('/a', 7), file], auto, (progress) =>
    seen.push(progress),
  )
  expect(bytes.map((one) => new TextDecoder().decode(one))).toEqual(['fetched', 'a file'])
  expect(asked).toEqual(['/a'])
  expect(seen.at(-1)).toEqual({ phase: 'receiving', receivedBytes: 13, totalBytes: 13 })
})

it.each([
  [404, 'not-found', 'After: This no longer exists.'],
  [410, 'gone', 'After: This has expired.'],
  [403, 'refused', 'After: You do not have access to this.'],
])('status %i says which side cannot be had, and why', async (status, code, message) => {
  const fetching: typeof fetch = async () => new Response('', { status })
  await expect(receiveSides(fetching, [file, fetched('/b')], auto, () => undefined)).rejects.toMatchObject({
    code,
    message,
  })
})

it.each([
  ['UTF-16LE', Buffer.from('\ufeffa,ü\n1,2\n', 'utf16le')],
  ['UTF-16BE', Buffer.from('\ufeffa,ü\n1,2\n', 'utf16le').swap16()],
  ['nothing, as UTF-8', Buffer.from('a,ü\n1,2\n')],
])('a file whose mark says %s is compared as text', async (_name, bytes) => {
  const side: WantedSide = { kind: 'file', file: new Blob([new Uint8Array(bytes)]) }
  const received = await receiveSides(fetch, [side, file], auto, () => undefined)
  expect(received.map((one) => new TextDecoder().decode(one))).toEqual(['a,ü\n1,2\n', 'a file'])
})

it('bytes that are no text, by all evidence, stay as they are', async () => {
  const bytes = Uint8Array.of(0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0)
  const [received] = await receiveSides(
    fetch,
    [{ kind: 'file', file: new Blob([bytes]) }, file],
    auto,
    () => undefined,
  )
  expect(received).toEqual(bytes)
})

it('a file is read in the encoding that is named, and pasted text in UTF-8', async () => {
  const sides: readonly [WantedSide, WantedSide] = [
    { kind: 'file', file: new File([Uint8Array.of(0x41, 0xe9)], 'a.txt') },
    { kind: 'file', file: new Blob(['Aé']) },
  ]
  const received = await receiveSides(fetch, sides, { encoding: 'windows-1252' }, () => undefined)
  expect(received.map((one) => new TextDecoder().decode(one))).toEqual(['Aé', 'Aé'])
  await expect(receiveSides(fetch, sides, { encoding: 'shift_jis' }, () => undefined)).rejects.toMatchObject({
    code: 'not-comparable',
    message: 'Before: The file is not shift_jis. See line 1, column 2.',
  })
})
