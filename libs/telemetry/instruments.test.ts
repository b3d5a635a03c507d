import { describe, expect, it } from 'vitest'
import { catalogue } from './catalogue.js'
import { counter, gauge, histogram, seriesMax } from './instruments.js'

describe('figures', () => {
  it('are kept by the values of their labels', async () => {
    const decisions = counter('decisions_total', '', ['policy', 'outcome'])
    decisions.series('strict', 'refused').value += 2
    decisions.series('strict', 'admitted').value += 1
    decisions.series('strict', 'refused').value += 1
    expect(await decisions.collect()).toEqual([
      { labels: { policy: 'strict', outcome: 'refused' }, value: 3 },
      { labels: { policy: 'strict', outcome: 'admitted' }, value: 1 },
    ])
  })

  it('that are read when somebody asks stand beside them, and one that fails is left out', async () => {
    const depth = gauge('depth', '', ['queue'])
    depth.observe(() => [[['a'], 1]])
    depth.observe(async () => [[['b'], 2]])
    depth.observe(() => {
      throw new Error('the database is gone')
    })
    depth.observe(async () => Promise.reject(new Error('the database is gone')))
    expect(await depth.collect()).toEqual([
      { labels: { queue: 'a' }, value: 1 },
      { labels: { queue: 'b' }, value: 2 },
    ])
  })

  it('have a bounded number of series, whatever becomes a label', async () => {
    const wild = counter('wild_total', '', ['route', 'code'])
    for (let n = 0; n < 10 * seriesMax; n += 1) wild.series(`/${n}`, '404').value += 1
    const points = await wild.collect()
    expect(points).toHaveLength(seriesMax + 1)
    expect(points.at(-1)).toEqual({ labels: { route: 'other', code: 'other' }, value: 9 * seriesMax })
  })
})

describe('distributions', () => {
  it('count each value under the lowest bound that is not below it', async () => {
    const durations = histogram('durations_seconds', '', ['method'], [0.1, 1])
    for (const value of [0.05, 0.1, 0.5, 1, 1.5]) durations.series('GET').observe(value)
    const [found] = await durations.collect()
    expect(found).toMatchObject({ labels: { method: 'GET' }, bounds: [0.1, 1], counts: [2, 2, 1] })
    expect(found?.sum).toBeCloseTo(3.15)
  })
})

describe('the catalogue', () => {
  it.each(catalogue)(
    '$name is named by the conventions and says what it is',
    ({ name, kind, help, unit, labels }) => {
      expect(name).toMatch(/^(snipkeep|process|nodejs)_[a-z_]+$/)
      expect(name.endsWith('_total')).toBe(kind === 'counter')
      if (kind === 'histogram') expect(unit).toBe('seconds')
      expect(help).toMatch(/^[A-Z0-9].{15,}\.$/)
      for (const label of labels)
        expect(['account', 'user', 'path', 'id', 'address', 'le']).not.toContain(label)
    },
  )

  it('names nothing twice', () => {
    expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length)
  })
})
