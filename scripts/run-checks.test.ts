import { describe, expect, it } from 'vitest'
import type { Check } from './checks.js'
import { runChecks } from './run-checks.js'

const quiet = { atOnce: 2, now: () => 0, report: () => {} }

function check(name: string, run: Check['run']): Check {
  return { name, run }
}

describe('runChecks', () => {
  it('reports what each check finds and continues after a failure', async () => {
    const reported: string[] = []
    const results = await runChecks(
      [check('a', async () => ['wrong']), check('b', async () => []), check('c', async () => [])],
      { ...quiet, atOnce: 1, report: ({ name, problems }) => reported.push(`${name} ${problems.length}`) },
    )
    expect(reported).toEqual(['a 1', 'b 0', 'c 0'])
    expect(results.map(({ problems }) => problems)).toEqual([['wrong'], [], []])
  })

  it('counts a check that throws as failed', async () => {
    const [result] = await runChecks([check('a', () => Promise.reject(new Error('no such program')))], quiet)
    expect(result?.problems).toEqual(['could not run: Error: no such program'])
  })

  it('never runs more in parallel than allowed', async () => {
    let running = 0
    let most = 0
    const busy = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return []
    }
    await runChecks(
      ['a', 'b', 'c', 'd', 'e'].map((name) => check(name, busy)),
      quiet,
    )
    expect(most).toBe(2)
  })
})
