import { expect, it } from 'vitest'
import { curlLine } from './created-key-dialog.js'

it('a key that may read lists snippets', () => {
  expect(curlLine('https://snipkeep.example', 'snk_1', ['read', 'write'])).toBe(
    "curl -H 'X-API-Key: snk_1' https://snipkeep.example/api/snippets",
  )
})

it('a key that may only write saves one', () => {
  const line = curlLine('https://snipkeep.example', 'snk_1', ['write'])
  expect(line).toContain("-H 'Content-Type: application/json' -d '{")
  expect(JSON.parse(line.slice(line.indexOf('{'), -1))).toMatchObject({ tool: 'csv' })
})
