import { expect, it } from 'vitest'
import { findingLines } from './doctor-command.js'

const findings = [
  { check: 'version', ok: true, detail: 'snipkeep 1.0.0' },
  {
    check: 'sign-in',
    ok: false,
    detail:
      'The server does not respond.\nCheck its address: https://snip.example/a-long-path-without-blanks.',
  },
  { check: 'credentials', ok: true, detail: '設定 は 一つ です から 大丈夫' },
]

it('what does not fit on a line of the terminal goes on below itself, and addresses stay whole', () => {
  expect(findingLines(findings, 40)).toBe(`ok    version      snipkeep 1.0.0
FAIL  sign-in      The server does not
                   respond.
                   Check its address:
                   https://snip.example/a-long-path-without-blanks.
ok    credentials  設定 は 一つ です
                   から 大丈夫
`)
})

it('in a pipe only its own line breaks divide a detail', () => {
  const lines = findingLines(findings, Number.POSITIVE_INFINITY).split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[2]).toBe(
    '                   Check its address: https://snip.example/a-long-path-without-blanks.',
  )
})
