import { expect, it } from 'vitest'
import { readFile } from './new-content.js'

it('a text file is read without its byte order mark', async () => {
  const file = new File([new Uint8Array([0xef, 0xbb, 0xbf]), 'é,1\r\n'], 'a.csv')
  expect(await readFile(file)).toEqual({ fileName: 'a.csv', text: 'é,1\r\n' })
})

it('a file that is not text is rejected, not mangled', async () => {
  await expect(readFile(new File([new Uint8Array([0xff, 0xfe, 0x00])], 'a.bin'))).rejects.toThrow(TypeError)
})
