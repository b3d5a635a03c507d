import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { drawRatios } from './ratio-plot.js'
import { type BenchResults, figuresTable, machineText, readable, replaceBetween } from './results.js'

const page = 'docs/performance.md'

function detailsTable({ goals }: BenchResults): string {
  const columns = [
    'requests/s',
    'processor µs a request',
    'requests/s per core',
    'p50 ms',
    'p99 ms',
    'resident MB',
  ]
  const rows = goals.flatMap(({ name, floor, measured, details = {} }) => {
    const rate: Record<string, number | null> = {
      ours: measured,
      floor,
      peer: details['peer requests/s'] ?? null,
    }
    return Object.entries(rate).flatMap(([who, perSecond]) => {
      if (perSecond === null || details[`${who} p99 ms`] === undefined) return []
      const cells = columns.map((column) => readable(details[`${who} ${column}`] ?? perSecond))
      return [`| ${[`${name}: ${who}`, ...cells].join(' | ')} |`]
    })
  })
  const head = ['', ...columns]
  return [`| ${head.join(' | ')} |`, `|${head.map(() => ' --- |').join('')}`, ...rows].join('\n')
}

function tables(results: BenchResults): string {
  const { machine, at, goals } = results
  return [
    `What \`npm run bench\` printed on ${at.slice(0, 10)}: ${machineText(machine)}.`,
    figuresTable(goals),
    'The same runs further: processor time is that of all processes that take part, the database too; memory is that of the processes without the sessions of the database.',
    detailsTable(results),
  ].join('\n\n')
}

/** Saves a run: as data, as plots, and as the tables of the performance page. */
export async function writeResults(results: BenchResults): Promise<void> {
  const rounded = JSON.stringify(
    results,
    (_name, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value),
    2,
  )
  await mkdir('bench/results', { recursive: true })
  await writeFile('bench/results/latest.json', `${rounded}\n`)
  for (const theme of ['light', 'dark'] as const)
    await writeFile(`docs/images/performance-${theme}.svg`, drawRatios(results.goals, theme))
  await writeFile(page, replaceBetween(await readFile(page, 'utf8'), 'goals', tables(results)))
}
