import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import type { BoundedMetric } from '#libs/telemetry/bounded-metrics.js'
import { catalogue } from '#libs/telemetry/catalogue.js'

const folder = 'deploy/observability'
/** The metrics that Prometheus itself adds. */
const ofPrometheus = new Set(['job', 'instance', 'le'])
const jobs = ['gateway', 'content', 'identity', 'activity', 'billing', 'tools', 'web']

const rules = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning', 'info']) }),
          annotations: z.strictObject({ summary: z.string(), runbook_url: z.string() }),
        }),
      ),
    }),
  ),
})
type Rule = z.infer<typeof rules>['groups'][number]['rules'][number]

const dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  panels: z.array(
    z.object({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
})

/** The names of an instrument in Prometheus. */
function namesOf({ name, kind }: BoundedMetric): readonly string[] {
  return kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}

const byName = new Map(catalogue.flatMap((one) => namesOf(one).map((name) => [name, one] as const)))

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** The problems of an expression: unknown metrics, and labels that they do not have. */
function problemsOf(expression: string): readonly string[] {
  const bare = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
  const uses = [...bare.matchAll(/\b((?:snipkeep|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
  const grouped = [...bare.matchAll(/\b(?:by|on|without|ignoring)\s*\(([^)]*)\)/g)].flatMap(
    ([, those = '']) => listed(those),
  )
  const known = new Set([...ofPrometheus])
  const problems: string[] = []
  for (const [, name = '', selectors = ''] of uses) {
    const instrument = byName.get(name)
    if (instrument === undefined) {
      problems.push(`${name} is not in the catalogue`)
      continue
    }
    for (const label of instrument.labels) known.add(label)
    for (const selector of listed(selectors)) {
      const [label = ''] = selector.split(/=~|!~|!=|=/)
      if (!instrument.labels.includes(label) && !ofPrometheus.has(label))
        problems.push(`${name} has no label ${label}`)
    }
  }
  for (const label of grouped) if (!known.has(label)) problems.push(`nothing there has a label ${label}`)
  for (const [open, close] of ['()', '{}', '[]'])
    if (bare.split(open ?? '').length !== bare.split(close ?? '').length)
      problems.push(`${open} without ${close}`)
  const isUp = /^up\b/.test(bare)
  return uses.length === 0 && !isUp ? [...problems, 'no metric is used'] : problems
}

async function readAlerts(): Promise<readonly Rule[]> {
  const text = await readFile(`${folder}/prometheus/alerts.yml`, 'utf8')
  return rules.parse(parse(text)).groups.flatMap((group) => group.rules)
}

async function readDashboards() {
  const names = (await readdir(`${folder}/grafana/dashboards`)).filter((name) => name.endsWith('.json'))
  const texts = names.map((name) => readFile(`${folder}/grafana/dashboards/${name}`, 'utf8'))
  return (await Promise.all(texts)).map((text) => dashboard.parse(JSON.parse(text)))
}

/** The anchors of a page's headings, as code hosts generate them, each with the text below it. */
function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = page.split(/^## /m).slice(1)
  return new Map(
    parts.map((part) => {
      const [heading = '', ...text] = part.split('\n')
      const anchor = heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(/\s/g, '-')
      return [anchor, text.join('\n').trim()]
    }),
  )
}

function kebab(name: string): string {
  return name.replaceAll(/(?<!^)([A-Z])/g, '-$1').toLowerCase()
}

/** The problems of an alert and its paragraph. */
function alertProblems({ alert, expr, annotations }: Rule, runbook: string): readonly string[] {
  const anchor = `alert-${kebab(alert)}`
  const paragraph = sectionsOf(runbook).get(anchor) ?? ''
  return [
    ...problemsOf(expr),
    ...(annotations.runbook_url === `docs/alerts.md#${anchor}`
      ? []
      : [`${alert} does not point to its paragraph`]),
    ...(paragraph.length > 150 ? [] : [`${alert} has no paragraph that says what to do`]),
    ...(annotations.summary.length > 20 ? [] : [`${alert} has no summary`]),
  ]
}

const alerts = await readAlerts()
const dashboards = await readDashboards()
const runbook = await readFile('docs/alerts.md', 'utf8')

test.each(alerts)('the alert $alert uses existing metrics, and says what to do', (rule) => {
  expect(alertProblems(rule, runbook)).toEqual([])
})

const deployment = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) }),
        ]),
      }),
    }),
  }),
})

test.each(jobs)('MemoryHigh warns about %s before Kubernetes kills it', async (job) => {
  const documents = parseAllDocuments(await readFile(`deploy/kubernetes/base/${job}.yaml`, 'utf8'))
  const found = documents.find((one) => one.get('kind') === 'Deployment')
  const { limits } = deployment.parse(found?.toJS()).spec.template.spec.containers[0].resources
  const limit = Number(/^(\d+)Mi$/.exec(limits.memory)?.[1]) * 1_048_576
  const { expr = '' } = alerts.find(({ alert }) => alert === 'MemoryHigh') ?? {}
  const bounds = [...expr.matchAll(/\{job=~"([^"]+)"\} > (\d+)/g)]
    .filter(([, names = '']) => names.split('|').includes(job))
    .map(([, , bound]) => Number(bound))
  expect(bounds).toHaveLength(1)
  expect((bounds[0] ?? 0) / limit).toBeGreaterThan(0.75)
  expect((bounds[0] ?? 0) / limit).toBeLessThan(0.9)
})

test('no alert waits for a gRPC status that no process returns', async () => {
  const responded = await readFile('libs/grpc/status.ts', 'utf8')
  const named = alerts.flatMap(({ expr }) =>
    [...expr.matchAll(/status=~?"([A-Z_|]+)"/g)].flatMap(([, words = '']) => words.split('|')),
  )
  expect(named).toContain('INTERNAL')
  const unused = named.filter((word) => word !== 'UNKNOWN' && !responded.includes(`status.${word}`))
  expect(unused).toEqual([])
})

test('every alert has a unique name, and every paragraph an alert', () => {
  const anchors = alerts.map(({ alert }) => `alert-${kebab(alert)}`)
  expect(new Set(anchors).size).toBe(alerts.length)
  expect([...sectionsOf(runbook).keys()].sort()).toEqual([...anchors].sort())
})

test.each(dashboards)('the dashboard $title uses existing metrics and labels', ({ panels }) => {
  const targets = panels.flatMap(({ targets = [] }) => targets)
  expect(targets.length).toBeGreaterThan(5)
  for (const { expr, legendFormat } of targets) {
    expect([expr, problemsOf(expr)]).toEqual([expr, []])
    for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect([expr, legendFormat, new RegExp(`by \\([^)]*\\b${label}\\b`).test(expr)]).toEqual([
        expr,
        legendFormat,
        true,
      ])
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
})

test('every metric is on a dashboard', () => {
  const shown = dashboards
    .flatMap(({ panels }) => panels.flatMap(({ targets = [] }) => targets))
    .map(({ expr }) => expr)
  const missing = catalogue.filter(
    (one) => !namesOf(one).some((name) => shown.some((expr) => expr.includes(name))),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
})

test('unknown metrics, labels and paragraphs are detected', () => {
  expect(problemsOf('rate(snipkeep_planted_total[5m])')).toEqual([
    'snipkeep_planted_total is not in the catalogue',
  ])
  expect(problemsOf('snipkeep_queue_depth{account="x"}')).toEqual([
    'snipkeep_queue_depth has no label account',
  ])
  expect(problemsOf('sum by (path) (snipkeep_queue_depth)')).toEqual(['nothing there has a label path'])
  expect(problemsOf('sum(snipkeep_queue_depth')).toEqual(['( without )'])
  expect(problemsOf('1 > 0')).toEqual(['no metric is used'])
  const [first] = alerts
  if (first === undefined) throw new Error('there are no alerts')
  const planted: Rule = { ...first, alert: 'PlantedAlert' }
  expect(alertProblems(planted, runbook)).toEqual([
    'PlantedAlert does not point to its paragraph',
    'PlantedAlert has no paragraph that says what to do',
  ])
})

test('Prometheus scrapes every process as its own job, and loads the rules', async () => {
  const config = z
    .object({
      rule_files: z.array(z.string()),
      scrape_configs: z.array(
        z.object({
          job_name: z.string(),
          static_configs: z.array(z.object({ targets: z.array(z.string()) })).default([]),
          dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.number() })).default([]),
        }),
      ),
    })
    .parse(parse(await readFile(`${folder}/prometheus/prometheus.yml`, 'utf8')))
  const asked = config.scrape_configs.map(
    ({ job_name: job, static_configs: fixed, dns_sd_configs: found }) => [
      job,
      [...fixed.flatMap(({ targets }) => targets), ...found.map(({ names, port }) => `${names[0]}:${port}`)],
    ],
  )
  expect(asked).toEqual(jobs.map((job) => [job, [`${job}:9464`]]))
  expect(config.rule_files).toEqual(['/etc/prometheus/alerts.yml'])
})

test('Grafana finds its data source and its dashboards, which all use it', async () => {
  const source = parse(await readFile(`${folder}/grafana/provisioning/datasources/prometheus.yml`, 'utf8'))
  const uid: unknown = source.datasources[0].uid
  const providers = parse(await readFile(`${folder}/grafana/provisioning/dashboards/snipkeep.yml`, 'utf8'))
  expect(providers.providers[0].options.path).toBe('/var/lib/grafana/dashboards')
  for (const name of await readdir(`${folder}/grafana/dashboards`)) {
    const text = await readFile(`${folder}/grafana/dashboards/${name}`, 'utf8')
    const uids = [...text.matchAll(/"datasource": \{\s*"type": "prometheus",\s*"uid": "([^"]+)"/g)].map(
      ([, one]) => one,
    )
    expect([name, [...new Set(uids)]]).toEqual([name, [uid]])
  }
  expect(new Set(dashboards.map((one) => one.uid)).size).toBe(dashboards.length)
})

test('every receiver, processor and exporter of the collector exists', async () => {
  const config = parse(await readFile(`${folder}/collector/collector.yml`, 'utf8'))
  const { receivers, processors, exporters } = config.service.pipelines.traces
  expect(receivers.every((name: string) => name in config.receivers)).toBe(true)
  expect(processors.every((name: string) => name in config.processors)).toBe(true)
  expect(exporters.every((name: string) => name in config.exporters)).toBe(true)
})
