import { expect, it } from 'vitest'
import { readFile } from './new-content.js'

it('the text of a file is read without the mark before it', async () => {
  const file = new File([new Uint8Array([0xef, 0xbb, 0xbf]), 'é,1\r\n'], 'a.csv')
  expect(await readFile(file)).toEqual({ fileName: 'a.csv', text: 'é,1\r\n' })
})

it('a file that is no text is refused, not mangled', async () => {
  await expect(readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], 'a.bin'))).rejects.toThrow(TypeError)
})
