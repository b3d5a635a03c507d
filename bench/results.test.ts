import { expect, test } from 'vitest'
import type { GoalFigure } from './goal.js'
import { ratioFigure, ratioFigures, tailFigure } from './ratio-figure.js'
import { drawRatios } from './ratio-plot.js'
import { figuresTable, replaceBetween } from './results.js'
import type { Run } from './rounds.js'
import { timesFigures } from './times-figure.js'

const run = (perSecond: number, p99Ms = 2): Run => ({
  perSecond,
  p50Ms: 1,
  p99Ms,
  microsPerRequest: 100,
  perSecondPerCore: 10_000,
  residentMb: 50,
  foreignShare: 0,
})

const goal = { name: 'a read', against: 'the <floor>', ratioMin: 0.5, p99RatioMax: 1.5 }
const figure = ratioFigure(goal, {
  floor: [100, 200, 300].map(run),
  ours: [90, 110, 120].map(run),
})

test('the ratio is that of the medians, with the spread of the rounds', () => {
  expect(figure).toMatchObject({ floor: 200, measured: 110, ratio: 0.55, holds: true })
  expect(figure.details).toMatchObject({ 'ratio least': 0.4, 'ratio most': 0.9 })
})

test('a ratio below its goal fails, and one without a goal always passes', () => {
  const runs = { floor: [run(100)], ours: [run(49)] }
  expect(ratioFigure(goal, runs).holds).toBe(false)
  expect(ratioFigure({ ...goal, ratioMin: null }, runs).holds).toBe(true)
})

test('the tail is compared in the same rounds, by its medians', () => {
  const floor = [run(100, 10), run(100, 20), run(100, 40)]
  const tail = tailFigure(goal, { floor, ours: [run(100, 30), run(100, 10), run(100, 32)] })
  expect(tail).toMatchObject({ name: 'a read: p99', unit: 'ms', floor: 20, measured: 30, ratio: 1.5 })
  expect(tail.details).toEqual({ 'ratio least': 0.5, 'ratio most': 3 })
  expect(tail).toMatchObject({ goal: '≤ 1.5 of the <floor>', holds: true })
})

test('a tail beyond its goal does not hold, whatever the rate is, and one without a goal always does', () => {
  const runs = { floor: [run(100, 10)], ours: [run(200, 16)] }
  expect(ratioFigures(goal, runs).map(({ holds }) => holds)).toEqual([true, false])
  expect(tailFigure({ ...goal, p99RatioMax: null }, runs)).toMatchObject({
    goal: 'none (of the <floor>)',
    holds: true,
  })
})

const absolute: GoalFigure = {
  ...{ name: 'idle', unit: 'MB', floor: null, measured: 500, ratio: null },
  ...{ goal: '≤ 450 MB', holds: false },
}

test('times are compared by their medians, and by the slowest of few rounds', () => {
  const times = { floor: [10, 20, 40], ours: [30, 10, 32], peer: [20, 20, 80] }
  const of = { name: 'a copy', unit: 's', against: 'the <floor>', ratioMax: 1.5 } as const
  const [typical, slowest] = timesFigures({ ...of, p99RatioMax: 0.7 }, times)
  expect(typical).toMatchObject({ name: 'a copy', floor: 20, measured: 30, ratio: 1.5, holds: true })
  expect(typical.details).toEqual({ 'ratio least': 0.5, 'ratio most': 3, 'peer s': 20, 'peer of floor': 1 })
  expect(slowest).toMatchObject({ name: 'a copy: p99', floor: 40, measured: 32, ratio: 0.8, holds: false })
  expect(slowest).toMatchObject({ goal: '≤ 0.7 of the <floor>', details: { 'peer of floor': 2 } })
  const [, open] = timesFigures({ ...of, p99RatioMax: null }, times)
  expect(open).toMatchObject({ goal: 'none (of the <floor>)', holds: true })
})

test('the table says how a peer compares with the floor', () => {
  const runs = { floor: [run(100, 10)], ours: [run(60, 10)], peer: [run(25, 30)] }
  const [, , rate, tail] = figuresTable(ratioFigures(goal, runs)).split('\n')
  expect([rate, tail].map((line) => line?.split('|')[5]?.trim())).toEqual(['0.25', '3.00'])
})

test('the table has a row for each figure', () => {
  const lines = figuresTable([figure, absolute]).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[2]).toMatch(
    /a read +\| 200 +\| 110 requests\/s +\| 0\.55 \(0\.40–0\.90\) +\| +\| ≥ 0\.50 of the <floor>/,
  )
  expect(lines[3]).toMatch(/idle +\| +\| 500 MB +\| +\| +\| ≤ 450 MB +\| \*\*no\*\*/)
})

test('the plot shows the large figures, the small ones, and the goals', () => {
  const svg = drawRatios([figure, absolute], 'dark')
  expect(svg).toContain('0.55 ×  (≥ 0.50)')
  expect(svg).toContain('500 MB  (≤ 450 MB, missed)')
  expect(svg.match(/>goal</g)).toHaveLength(2)
  expect(svg).not.toContain('<floor>')
})

test('only the text between the comments is replaced', () => {
  const text = 'before <!-- a begin -->\nold\n<!-- a end --> after'
  expect(replaceBetween(text, 'a', 'new')).toBe('before <!-- a begin -->\n\nnew\n\n<!-- a end --> after')
  expect(() => replaceBetween(text, 'b', 'new')).toThrow('<!-- b begin -->')
})
