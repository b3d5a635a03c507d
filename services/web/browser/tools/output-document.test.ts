import { expect, it } from 'vitest'
import { outputDocument } from './output-document.js'

it('text in any chunks becomes the JSON string that says the same', () => {
  const control = Array.from({ length: 0x20 }, (_character, code) => String.fromCharCode(code)).join('')
  const text = `${control}"quoted" \\ \u007f é 😀\n`
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_chunk, index) =>
      bytes.subarray(index * size, (index + 1) * size),
    )
    const document = new TextDecoder('utf-8', { fatal: true }).decode(outputDocument('a"b', chunks))
    expect(JSON.parse(document)).toEqual({ 'a"b': text })
  }
  expect(new TextDecoder().decode(outputDocument('csv', []))).toBe('{"csv":""}')
})
