import { Counter, Gauge, Histogram } from 'prom-client'

type Names = readonly string[]

/** A value for each label, in order. */
export type LabelValues<Labels extends Names> = { readonly [K in keyof Labels]: string }

/** A value that is read at a scrape. */
export type Reading<Labels extends Names> = readonly [labels: LabelValues<Labels>, value: number]

/** Reads values at a scrape; if it fails, they are left out. */
export type Reader<Labels extends Names> = () =>
  | readonly Reading<Labels>[]
  | Promise<readonly Reading<Labels>[]>

interface Sample {
  readonly labels: Readonly<Partial<Record<string, string | number>>>
  readonly value: number
  /** Of a histogram: with `_bucket`, `_sum` or `_count`. */
  readonly metricName?: string
}

/** The common part of all metrics. */
export interface BoundedMetric {
  /** As Prometheus shows it. */
  readonly name: string
  readonly help: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly unit: 'seconds' | 'bytes' | ''
  /** Values never come from a caller: only our own templates, codes and names. */
  readonly labels: readonly string[]
  /** The prom-client metric, in no registry. */
  readonly metric: Counter | Gauge | Histogram
  collect(): Promise<readonly Sample[]>
}

/** A metric whose series change through `Child`; keep a child instead of looking it up for each change. */
export interface BoundedSeries<Labels extends Names, Child> extends BoundedMetric {
  series(...values: LabelValues<Labels>): Child
}

/** One series of a counter. */
export type CounterSeries = Pick<Counter.Internal, 'inc'>
/** One series of a gauge. */
export type GaugeSeries = Pick<Gauge.Internal<string>, 'set'>
/** One series of a histogram. */
export type HistogramSeries = Pick<Histogram.Internal<string>, 'observe'>

/** A metric that may also be read at a scrape. */
export interface Readable<Labels extends Names> {
  /** Returns a function that stops the reading; call it on close. */
  observe(read: Reader<Labels>): () => void
}

/** A metric has at most this many series, plus one (every label `other`) for all others. */
export const seriesMax = 500
const beyond = 'other'

function unitOf(name: string): BoundedMetric['unit'] {
  const [, unit = ''] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit === 'seconds' || unit === 'bytes' ? unit : ''
}

function labelled(labels: Names, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))
}

/** Caches the child of each combination of label values. */
function boundedSeries<Child>(
  labels: Names,
  childOf: (values: Record<string, string>) => Child,
): (...values: readonly string[]) => Child {
  const children = new Map<string, Child>()
  const add = (key: string, values: readonly string[]): Child => {
    const child = childOf(labelled(labels, values))
    children.set(key, child)
    return child
  }
  return (...values) => {
    const key = values.join('\n')
    const found = children.get(key)
    if (found !== undefined) return found
    if (children.size < seriesMax) return add(key, values)
    const others = values.map(() => beyond)
    const othersKey = others.join('\n')
    return children.get(othersKey) ?? add(othersKey, others)
  }
}

/** Values read at a scrape replace those of the previous scrape. */
function readings<const Labels extends Names>(labels: Labels) {
  const readers = new Set<Reader<Labels>>()
  return {
    observe(read: Reader<Labels>) {
      readers.add(read)
      return () => void readers.delete(read)
    },
    async refresh(metric: Counter | Gauge): Promise<void> {
      if (readers.size === 0) return
      const read = await Promise.allSettled([...readers].map(async (one) => one()))
      metric.reset()
      if (labels.length === 0) metric.remove()
      for (const one of read)
        if (one.status === 'fulfilled')
          for (const [values, value] of one.value) metric.inc(labelled(labels, values), value)
    },
  }
}

function described(name: string, help: string, labels: Names) {
  return { name, help, labels, unit: unitOf(name) }
}

/** A counter; a series starts at 0 when it is first used. */
export function counter<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
): BoundedSeries<Labels, CounterSeries> & Readable<Labels> {
  const { observe, refresh } = readings(labels)
  const collect = (): Promise<void> => refresh(metric)
  const metric: Counter = new Counter({ name, help, labelNames: [...labels], registers: [], collect })
  if (labels.length === 0) metric.remove()
  const series = boundedSeries(labels, (values) => {
    const child = metric.labels(values)
    child.inc(0)
    return child
  })
  const samples = async () => (await metric.get()).values
  return { ...described(name, help, labels), kind: 'counter', metric, series, observe, collect: samples }
}

/** A gauge; a series starts at 0 when it is first used. */
export function gauge<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
): BoundedSeries<Labels, GaugeSeries> & Readable<Labels> {
  const { observe, refresh } = readings(labels)
  const collect = (): Promise<void> => refresh(metric)
  const metric: Gauge = new Gauge({ name, help, labelNames: [...labels], registers: [], collect })
  if (labels.length === 0) metric.remove()
  const series = boundedSeries(labels, (values) => {
    const child = metric.labels(values)
    child.set(0)
    return child
  })
  const samples = async () => (await metric.get()).values
  return { ...described(name, help, labels), kind: 'gauge', metric, series, observe, collect: samples }
}

/** A histogram with these upper bounds. */
export function histogram<const Labels extends Names>(
  name: string,
  help: string,
  labels: Labels,
  buckets: readonly number[],
): BoundedSeries<Labels, HistogramSeries> {
  const options = { name, help, labelNames: [...labels], registers: [], buckets: [...buckets] }
  const metric: Histogram = new Histogram(options)
  const series = boundedSeries(labels, (values) => {
    metric.zero(values)
    return metric.labels(values)
  })
  const samples = async () => (await metric.get()).values
  return { ...described(name, help, labels), kind: 'histogram', metric, series, collect: samples }
}
