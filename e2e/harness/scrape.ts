import type { SystemProcess } from './system-process.js'

/** One line of metrics. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics address of a process, from its log; it must run with `METRICS_PORT: '0'`. */
export function metricsUrl({ name, output }: SystemProcess): string {
  const [, port] = /"metrics_port":(\d+)/.exec(output()) ?? []
  if (port === undefined) throw new Error(`${name} serves no metrics`)
  return `http://127.0.0.1:${port}/metrics`
}

/** The current metrics of a process. */
export async function scrapeText(process: SystemProcess): Promise<string> {
  const response = await fetch(metricsUrl(process))
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${process.name}: ${response.status} ${text}`)
  return text
}

/** Parses the Prometheus text format. */
export function samplesOf(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
      return {
        name,
        labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
        value: value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value),
      }
    })
}

/** The sum of a process's samples with this name and these labels. */
export async function figure(
  process: SystemProcess,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number> {
  const wanted = Object.entries(labels)
  return samplesOf(await scrapeText(process))
    .filter((one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value))
    .reduce((total, { value }) => total + value, 0)
}
