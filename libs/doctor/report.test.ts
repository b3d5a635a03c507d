import { expect, test } from 'vitest'
import { ok, problem, skipped, warning } from './finding.js'
import { isWell, jsonReport, textReport } from './report.js'

const sections = [
  { name: 'gateway', findings: [ok('configuration', 'fine'), problem('redis', 'is gone', 'start it')] },
  { name: 'web', findings: [warning('grpc', 'plain', 'set it'), skipped('more', 'no')] },
]

test('for people, each finding has a line, followed by its fix', () => {
  expect(textReport(sections)).toBe(
    [
      'snipkeep doctor',
      '',
      'gateway',
      '  ok       configuration      fine',
      '  problem  redis              is gone',
      '           → start it',
      '',
      'web',
      '  warning  grpc               plain',
      '           → set it',
      '  skipped  more               no',
      '',
      '1 ok, 1 warning, 1 problem, 1 skipped',
      '',
    ].join('\n'),
  )
})

test('for programs, the same is JSON', () => {
  const report: unknown = JSON.parse(jsonReport(sections))
  expect(report).toMatchObject({
    well: false,
    findings: [{ process: 'gateway' }, { verdict: 'problem' }, {}, {}],
  })
})

test('only problems make an installation fail', () => {
  expect(isWell(sections)).toBe(false)
  expect(isWell(sections.slice(1))).toBe(true)
})
