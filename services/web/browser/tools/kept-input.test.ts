import { expect, it } from 'vitest'
import { keepInput, keepOptions, keptInput, keptOptions } from './kept-input.js'

/** A tab's storage, or one that refuses. */
function storage(refuses = false): Storage {
  const items = new Map<string, string>()
  const orRefuse = <T>(value: T): T => {
    if (refuses) throw new DOMException('refused', 'SecurityError')
    return value
  }
  return {
    length: 0,
    clear: () => items.clear(),
    key: () => null,
    getItem: (key) => orRefuse(items.get(key) ?? null),
    setItem: (key, value) => void orRefuse(items.set(key, value)),
    removeItem: (key) => void orRefuse(items.delete(key)),
  }
}

it('keeps a text for tools with the same kind of input, and for those that take any text', () => {
  const tab = storage()
  keepInput(tab, 'json', '{"a": 1.0}\n')
  expect(keptInput(tab, 'json')).toBe('{"a": 1.0}\n')
  expect(keptInput(tab, 'text')).toBe('{"a": 1.0}\n')
  expect(keptInput(tab, 'csv')).toBeNull()
  keepInput(tab, 'json', null)
  expect(keptInput(tab, 'json')).toBeNull()
})

it('keeps the options of each tool apart', () => {
  const tab = storage()
  keepOptions(tab, 'json-format', [['indent', '4']])
  expect([keptOptions(tab, 'json-format'), keptOptions(tab, 'json-minify')]).toEqual(['#indent=4', ''])
})

it.each(['', 'null', '1', '{"kind":"json"}', '{'])('takes %j for nothing', (content) => {
  const tab = storage()
  tab.setItem('snipkeep.tool-input', content)
  expect(keptInput(tab, 'json')).toBeNull()
})

it('never brings back a text that was replaced by one that is too large', () => {
  const tab = storage()
  keepInput(tab, 'json', '"before"')
  tab.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  keepInput(tab, 'json', '"after"')
  expect(keptInput(tab, 'json')).toBeNull()
})

it('does without a storage that refuses', () => {
  const tab = storage(true)
  keepInput(tab, 'json', '{}')
  keepOptions(tab, 'json-format', [])
  expect([keptInput(tab, 'json'), keptOptions(tab, 'json-format')]).toEqual([null, ''])
})
