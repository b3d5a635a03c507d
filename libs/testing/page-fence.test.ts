import { expect, it } from 'vitest'
import { pageFence } from './page-fence.js'

const page = 'docs/growing.md'

it('what a page shows is found by its beginning, with what a test must change', () => {
  const shown = pageFence(page, 'listen redis\n', [
    [/bind (.*):6379/, 'bind $1:1234'],
    [/( {2}server .*\n)+/, ''],
  ])
  expect(shown).toMatch(/^listen redis\n {2}bind 127\.0\.0\.1:1234\n {2}mode tcp\n/)
  expect(shown).not.toContain('server redis')
})

it('a page that no longer shows it, or not what is replaced, fails the test that runs it', () => {
  expect(() => pageFence(page, 'listen elsewhere\n', [])).toThrow(`${page} shows nothing that begins with`)
  expect(() => pageFence(page, 'listen redis\n', [['bind :80', '']])).toThrow('does not show bind :80')
})
