import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../../e2e/harness/quantile.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { startWorker } from '../worker.js'
import type { ToolTask, ToolTook } from './tools-program.js'

const documentBytes = 50_000_000
const mbMax = 96
const speedMin = 60

/** The tools whose memory is bounded, each with what it reads and with options that make it work hardest. */
const tasks: readonly (readonly [
  tool: string,
  input: 'json' | 'ndjson' | 'csv',
  options: ToolTask['options'],
])[] = [
  ['json-minify', 'json', {}],
  ['json-format', 'json', {}],
  ['json-validate', 'json', {}],
  ['json-sort-keys', 'json', {}],
  ['json-query', 'json', { path: '$[?@.price > 500].address.city' }],
  ['json-to-ndjson', 'json', {}],
  ['ndjson-to-json', 'ndjson', {}],
  ['json-to-csv', 'json', {}],
  ['json-to-csv', 'json', { nested: 'dots' }],
  ['json-to-xml', 'json', {}],
  ['json-to-yaml', 'json', {}],
  ['json-schema-infer', 'json', { enums: true }],
  ['json-to-typescript', 'json', {}],
  ['csv-to-json', 'csv', { types: 'numbers' }],
  ['csv-format', 'csv', { quotes: 'all', guard: true }],
]

/** Rows with long numbers, escapes, nested values and text beyond ASCII, as `ending` makes files of them. */
async function writeRows(
  file: string,
  ending: (at: number, isLast: boolean) => readonly [string, string],
): Promise<void> {
  const out = createWriteStream(file)
  let bytes = 0
  for (let at = 0; bytes < documentBytes; at += 1) {
    const price = ((at * 7919) % 100_000) / 100
    const row = `{"id": 12345678901234567${1000 + (at % 9000)}, "name": "row ${at}", "price": ${price.toFixed(2)}, "active": ${at % 3 === 0}, "tags": ["alpha", "beta", null], "address": {"street": "Main street ${at % 300}", "city": "${at % 10 === 0 ? 'Zürich' : 'Berlin'}"}, "note": "line\\nfeed \\"quoted\\""}`
    bytes += Buffer.byteLength(row) + 2
    const [before, after] = ending(at, bytes >= documentBytes)
    if (!out.write(before + row + after)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

async function writeCsv(file: string): Promise<void> {
  const out = createWriteStream(file)
  out.write('id,name,price,street,note\n')
  let bytes = 0
  for (let at = 0; bytes < documentBytes; at += 1) {
    const row = `12345678901234567${1000 + (at % 9000)},row ${at},${(((at * 7919) % 100_000) / 100).toFixed(2)},"Main street ${at % 300}, Zürich","say ""hi"""\n`
    bytes += Buffer.byteLength(row)
    if (!out.write(row)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

async function took(task: ToolTask): Promise<ToolTook> {
  const worker = startWorker('studies/tools-program.ts', {})
  try {
    const response = await worker.ask<ToolTook | { readonly failure: string }>(task)
    if ('failure' in response) throw new Error(`${task.tool}: ${response.failure}`)
    return response
  } finally {
    worker.stop()
  }
}

/** The processor time of jq, in milliseconds; `null` where it is not installed. */
function jqMs(file: string, flags: string): number | null {
  try {
    const script = `TIMEFORMAT='%U %S'; { time jq ${flags} . "$0" >/dev/null; } 2>&1`
    const times = execFileSync('bash', ['-c', script, file], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    })
    const [user = Number.NaN, system = Number.NaN] = times.trim().split(' ').map(Number)
    return Number.isFinite(user + system) ? (user + system) * 1_000 : null
  } catch {
    return null
  }
}

/** Rounds of each contender in turn, so that all of them meet the machine in the same state. */
async function speeds(file: string, tool: string, indent: number, rounds: number): Promise<GoalFigure> {
  const bytes = (await stat(file)).size
  const speed = (ms: number): number => bytes / 1_000 / ms
  const [own, node, jq]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round += 1) {
    own?.push(speed((await took({ file, tool, options: {} })).cpuMs))
    node?.push(speed((await took({ file, tool: 'node', options: { indent } })).cpuMs))
    const ms = jqMs(file, indent === 0 ? '-c' : `--indent ${indent}`)
    if (ms !== null) jq?.push(speed(ms))
  }
  const [measured, ofNode, ofJq] = [median(own ?? []), median(node ?? []), jq?.length ? median(jq) : 0]
  const floor = Math.max(ofNode, ofJq)
  return {
    name: tool,
    unit: 'MB/s of one core, by the faster of Node and jq',
    floor,
    measured,
    ratio: measured / floor,
    goal: `≥ ${speedMin} MB/s, > 1.00`,
    holds: measured >= speedMin && measured > floor,
    details: { 'Node MB/s': ofNode, 'jq MB/s': ofJq },
  }
}

/** Tools on 50 MB: the memory of each, and the speed of those that only write white space beside jq and Node. */
export const tools: Bench = {
  name: 'tools',
  async measure({ quick }) {
    const folder = await mkdtemp(join(tmpdir(), 'snipkeep-tools-'))
    const files = {
      json: join(folder, 'rows.json'),
      ndjson: join(folder, 'rows.ndjson'),
      csv: join(folder, 'rows.csv'),
    }
    try {
      await writeRows(files.json, (at, isLast) => [at === 0 ? '[' : ',\n ', isLast ? ']' : ''])
      await writeRows(files.ndjson, () => ['', '\n'])
      await writeCsv(files.csv)
      const rounds = quick ? 1 : 5
      const figures = [
        await speeds(files.json, 'json-minify', 0, rounds),
        await speeds(files.json, 'json-format', 2, rounds),
      ]
      for (const [tool, input, options] of tasks) {
        const { cpuMs, mb } = await took({ file: files[input], tool, options })
        const mbPerSecond = documentBytes / 1_000 / cpuMs
        figures.push({
          name: `${tool} ${JSON.stringify(options)}`,
          unit: 'MB of memory',
          floor: null,
          measured: mb,
          ratio: null,
          goal: `≤ ${mbMax}`,
          holds: mb <= mbMax,
          details: { 'MB/s of one core': mbPerSecond },
        })
      }
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
