import { expect, it } from 'vitest'
import { terminalSafe } from './write-content.js'

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
