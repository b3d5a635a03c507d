import { describe, expect, it } from 'vitest'
import { counter, gauge, histogram, seriesMax } from './bounded-metrics.js'
import { catalogue } from './catalogue.js'

describe('counters and gauges', () => {
  it('are counted by label values', async () => {
    const decisions = counter('decisions_total', 'Help.', ['policy', 'outcome'])
    decisions.series('strict', 'refused').inc(2)
    decisions.series('strict', 'admitted').inc()
    decisions.series('strict', 'refused').inc()
    expect(await decisions.collect()).toEqual([
      { labels: { policy: 'strict', outcome: 'refused' }, value: 3 },
      { labels: { policy: 'strict', outcome: 'admitted' }, value: 1 },
    ])
  })

  it('may be computed at a scrape until unregistered, and a failing computation is left out', async () => {
    const depth = gauge('depth', 'Help.', ['queue'])
    const stop = depth.observe(() => [[['a'], 1]])
    depth.observe(async () => [[['b'], 2]])
    depth.observe(() => {
      throw new Error('the database is gone')
    })
    depth.observe(async () => Promise.reject(new Error('the database is gone')))
    expect(await depth.collect()).toEqual([
      { labels: { queue: 'a' }, value: 1 },
      { labels: { queue: 'b' }, value: 2 },
    ])
    stop()
    expect(await depth.collect()).toEqual([{ labels: { queue: 'b' }, value: 2 }])
  })

  it('have a bounded number of series, whatever the labels', async () => {
    const wild = counter('wild_total', 'Help.', ['route', 'code'])
    for (let n = 0; n < 10 * seriesMax; n += 1) wild.series(`/${n}`, '404').inc()
    const points = await wild.collect()
    expect(points).toHaveLength(seriesMax + 1)
    expect(points.at(-1)).toEqual({ labels: { route: 'other', code: 'other' }, value: 9 * seriesMax })
  })
})

describe('histograms', () => {
  it('count each value in the bucket with the lowest bound that is not below it', async () => {
    const durations = histogram('durations_seconds', 'Help.', ['method'], [0.1, 1])
    for (const value of [0.05, 0.1, 0.5, 1, 1.5]) durations.series('GET').observe(value)
    const samples = await durations.collect()
    expect(samples.map(({ labels, value }) => [labels.le, value])).toEqual([
      ...[
        [0.1, 2],
        [1, 4],
        ['+Inf', 5],
      ],
      [undefined, expect.closeTo(3.15)],
      [undefined, 5],
    ])
  })
})

describe('the catalogue', () => {
  it.each(catalogue)(
    '$name follows the naming conventions and has a description',
    ({ name, kind, help, unit, labels }) => {
      expect(name).toMatch(/^(snipkeep|process|nodejs)_[a-z_]+$/)
      expect(name.endsWith('_total')).toBe(kind === 'counter')
      if (kind === 'histogram') expect(unit).toBe('seconds')
      expect(help).toMatch(/^[A-Z0-9].{15,}\.$/)
      for (const label of labels)
        expect(['account', 'user', 'path', 'id', 'address', 'le']).not.toContain(label)
    },
  )

  it('has no duplicate names', () => {
    expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length)
  })
})

it('a predefined series starts at 0, and others are absent until their first event', async () => {
  const refused = counter('refused_total', 'Refused.', [])
  expect(await refused.collect()).toEqual([])
  refused.series()
  expect(await refused.collect()).toEqual([{ labels: {}, value: 0 }])
  const took = histogram('took_seconds', 'Took.', ['method'], [1])
  took.series('GET')
  expect((await took.collect()).map(({ value }) => value)).toEqual([0, 0, 0, 0])
})
