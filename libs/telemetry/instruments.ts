/** One figure, to be changed in place: that costs less than to ask whether anybody wants to know. */
export interface Cell {
  value: number
}

type Labelled = Readonly<Record<string, string>>

/** A figure with the values of its labels. */
export interface Point {
  readonly labels: Labelled
  readonly value: number
}

/** A distribution with the values of its labels. */
export interface Distribution {
  readonly labels: Labelled
  /** Upper bounds, each included. */
  readonly bounds: readonly number[]
  /** How many fell into each, with one more for what lies above all. */
  readonly counts: readonly number[]
  readonly sum: number
}

/** What there is to say of an instrument. */
export interface Description {
  /** As Prometheus shows it. */
  readonly name: string
  readonly help: string
  readonly unit: 'seconds' | 'bytes' | ''
  /** None of their values may come from a caller: templates, codes and names of ours alone. */
  readonly labels: readonly string[]
}

/** Anything that is measured, and how to know all of it as it is now. */
export type Instrument = Description &
  (
    | { readonly kind: 'counter' | 'gauge'; collect(): Promise<readonly Point[]> }
    | { readonly kind: 'histogram'; collect(): Promise<readonly Distribution[]> }
  )

type Names = readonly string[]

/** A value for each label, in their order. */
export type LabelValues<Labels extends Names> = { readonly [K in keyof Labels]: string }

/** A figure that is found out only when somebody asks. */
export type Reading<Labels extends Names> = readonly [labels: LabelValues<Labels>, value: number]

/** Finds figures out; one that fails is left out that time. */
export type Reader<Labels extends Names> = () =>
  | readonly Reading<Labels>[]
  | Promise<readonly Reading<Labels>[]>

/** Figures that grow (`counter`) or move (`gauge`). */
export interface Figures<Labels extends Names> extends Description {
  readonly kind: 'counter' | 'gauge'
  /** The figure with these labels. */
  series(...values: LabelValues<Labels>): Cell
  /** Adds figures that are read whenever somebody asks. */
  observe(read: Reader<Labels>): void
  collect(): Promise<readonly Point[]>
}

/** One distribution, to be added to in place. */
export interface Series {
  observe(value: number): void
}

/** Distributions of measured values. */
export interface Histogram<Labels extends Names> extends Description {
  readonly kind: 'histogram'
  series(...values: LabelValues<Labels>): Series
  collect(): Promise<readonly Distribution[]>
}

/** Whatever goes wrong with a label, an instrument has no more series than these and one for all others. */
export const seriesMax = 500
const beyond = 'other'

function unitOf(name: string): Description['unit'] {
  const [, unit = ''] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit === 'seconds' || unit === 'bytes' ? unit : ''
}

function labelled(labels: Names, values: readonly string[]): Labelled {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))
}

/** What is kept for each combination of label values. */
function createSeries<Kept>(labels: Names, make: () => Kept) {
  const all = new Map<string, { readonly labels: Labelled; readonly kept: Kept }>()
  const add = (key: string, values: readonly string[]): Kept => {
    const entry = { labels: labelled(labels, values), kept: make() }
    all.set(key, entry)
    return entry.kept
  }
  return {
    all,
    of(values: readonly string[]): Kept {
      const key = values.join('\n')
      const found = all.get(key)
      if (found !== undefined) return found.kept
      if (all.size < seriesMax) return add(key, values)
      const others = values.map(() => beyond)
      return all.get(others.join('\n'))?.kept ?? add(others.join('\n'), others)
    },
  }
}

function figures<const Labels extends Names>(
  kind: 'counter' | 'gauge',
  name: string,
  help: string,
  labels: Labels,
): Figures<Labels> {
  const { all, of } = createSeries<Cell>(labels, () => ({ value: 0 }))
  const readers: Reader<Labels>[] = []

  const readAll = async (): Promise<readonly Reading<Labels>[]> => {
    const attempts = readers.map(async (read) => read())
    const read = await Promise.allSettled(attempts)
    return read.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  }
  return {
    ...{ kind, name, help, labels, unit: unitOf(name) },
    series: (...values) => of(values),
    observe(read) {
      readers.push(read)
    },
    async collect() {
      const kept = [...all.values()].map((entry) => ({ labels: entry.labels, value: entry.kept.value }))
      const read = await readAll()
      return [...kept, ...read.map(([values, value]) => ({ labels: labelled(labels, values), value }))]
    },
  }
}

/** Figures that only grow. */
export function counter<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
): Figures<Labels> {
  return figures('counter', name, help, labels)
}

/** Figures that grow and shrink. */
export function gauge<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
): Figures<Labels> {
  return figures('gauge', name, help, labels)
}

interface Tally extends Series {
  readonly counts: number[]
  sum: number
}

function createTally(bounds: readonly number[]): Tally {
  const counts = Array.from({ length: bounds.length + 1 }, () => 0)
  const tally: Tally = {
    counts,
    sum: 0,
    observe(value) {
      let index = 0
      while (index < bounds.length && value > (bounds[index] ?? 0)) index += 1
      counts[index] = (counts[index] ?? 0) + 1
      tally.sum += value
    },
  }
  return tally
}

/** Distributions over these upper bounds. */
export function histogram<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
  bounds: readonly number[],
): Histogram<Labels> {
  const { all, of } = createSeries<Tally>(labels, () => createTally(bounds))
  return {
    ...{ kind: 'histogram', name, help, labels, unit: unitOf(name) },
    series: (...values) => of(values),
    collect: async () =>
      [...all.values()].map(({ labels: those, kept: { counts, sum } }) => ({
        ...{ labels: those, bounds, sum },
        counts: [...counts],
      })),
  }
}
