import { expect, test } from 'vitest'
import { terminalLine } from './terminal-line.js'

test('an error is shown with the name of its process, its message and its cause', () => {
  const line =
    '{"level":"error","service":"content","err":{"message":"disk full","stack":"…"},"msg":"a task failed"}'
  expect(terminalLine('content', line)).toBe('[content] a task failed: disk full')
})

test('an event without a message is shown as it is', () => {
  expect(terminalLine('web', '{"level":"fatal"}')).toBe('[web] {"level":"fatal"}')
})

test.each([
  '{"level":"info","msg":"listening"}',
  '{"level":"warn","msg":"slow"}',
  '{"level":"info","msg":"said \\"level\\":\\"error\\""}',
  'plain text with "level":"error" in it',
  '"level":"error"',
  '',
])('anything else stays in the log: %s', (line) => {
  expect(terminalLine('web', line)).toBeNull()
})
