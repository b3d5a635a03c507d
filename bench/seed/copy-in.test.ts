import { expect, test } from 'vitest'
import { CopyRows } from './copy-in.js'

test('a row is written in COPY’s binary format', () => {
  const rows = new CopyRows()
  expect(rows.begin(4)).toBeNull()
  rows.text('ab')
  rows.null()
  rows.texts(['x'])
  rows.timestamp(Date.UTC(2000, 0, 1) + 1)
  const file = rows.end().toString('hex')
  const header = '5047434f50590aff0d0a000000000000000000'
  const text = '000000026162'
  const array = `00000019${'00000001'}${'00000000'}${'00000019'}${'00000001'}${'00000001'}${'0000000178'}`
  const timestamp = '0000000800000000000003e8'
  expect(file).toBe(`${header}0004${text}ffffffff${array}${timestamp}ffff`)
})
