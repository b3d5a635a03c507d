import { expect, it } from 'vitest'
import { recentTools, rememberTool } from './recent-tools.js'

function storage(initial?: string) {
  let item = initial ?? null
  return {
    getItem: () => item,
    setItem: (_key: string, value: string) => {
      item = value
    },
  }
}

it('the tools used last come first, each once, and no more than six', () => {
  const kept = storage()
  for (const name of ['a', 'b', 'c', 'b', 'd', 'e', 'f', 'g']) rememberTool(kept, name)
  expect(recentTools(kept)).toEqual(['g', 'f', 'e', 'd', 'b', 'c'])
})

it('whatever else is stored means none', () => {
  for (const text of ['{', '{}', '[1,null]']) expect(recentTools(storage(text))).toEqual([])
})
