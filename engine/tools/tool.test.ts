import { expect, it } from 'vitest'
import { z } from 'zod'
import { readOptions } from './tool.js'

const options = z.strictObject({
  text: z.string().default(''),
  indent: z.enum(['1', '2']).default('2'),
  most: z.int().max(10).default(1),
  header: z.boolean().default(true),
  columns: z.array(z.string()).default([]),
})

it.each([
  ['text', '1', '1'],
  ['text', 'true', 'true'],
  ['text', '["a"]', '["a"]'],
  ['indent', '2', '2'],
  ['most', '3', 3],
  ['most', '30', '30'],
  ['header', 'false', false],
  ['columns', '', []],
  ['columns', 'a,b', ['a', 'b']],
  ['columns', '["a,b","","c"]', ['a,b', '', 'c']],
  ['columns', '[""]', ['']],
  ['columns', '[a],b', ['[a]', 'b']],
  ['unknown', 'x', 'x'],
])('%s=%s is read as what the option takes', (name, text, value) => {
  expect(readOptions({ options }, [[name, text]])).toEqual({ [name]: value })
})
