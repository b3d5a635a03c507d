import { expect, test } from 'vitest'
import { readPlans } from './plan-log.js'

const plan = {
  'Query Text': 'SELECT snippet.id FROM snippet',
  Plan: {
    'Node Type': 'Append',
    'Actual Rows': 3,
    'Actual Loops': 1,
    Plans: [
      {
        'Node Type': 'Index Scan',
        'Relation Name': 'snippet',
        'Index Name': 'snippet_newest',
        'Actual Rows': 1.5,
        'Actual Loops': 2,
        'Rows Removed by Filter': 4,
      },
      { 'Node Type': 'Seq Scan', 'Relation Name': 'owner', 'Actual Rows': 1, 'Actual Loops': 1 },
      { 'Node Type': 'Seq Scan', 'Relation Name': 'share', 'Actual Rows': 0, 'Actual Loops': 0 },
    ],
  },
}

test('the plans in a log show indexes, sequential scans and rows, but nothing that never ran', () => {
  const json = JSON.stringify(plan, null, 2).replace(/^/gm, '\t')
  const log = `2026-01-01 00:00:00.000 UTC [7] LOG:  checkpoint complete\n2026-01-01 00:00:00.000 UTC [7] LOG:  duration: 0.250 ms  plan:\n${json}\n2026-01-01 00:00:01.000 UTC [7] LOG:  done\n`
  expect(readPlans(log)).toEqual([
    {
      text: 'SELECT snippet.id FROM snippet',
      ms: 0.25,
      indexes: ['snippet_newest'],
      wholeTables: ['owner'],
      rows: 12,
    },
  ])
})
