import { cpus } from 'node:os'
import pg from 'pg'
import type { GoalFigure } from './goal.js'
import { loadTool } from './load.js'

/** The environment of a run. */
export interface Machine {
  readonly processor: string
  readonly cores: number
  readonly node: string
  readonly postgres: string
  readonly load: string
}

/** A complete run, as in `latest.json`. */
export interface BenchResults {
  readonly machine: Machine
  readonly at: string
  readonly goals: readonly GoalFigure[]
}

/** This machine, and the server at this URL. */
export async function readMachine(postgresUrl: string): Promise<Machine> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return {
      processor: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      node: process.version.slice(1),
      postgres: rows[0]?.server_version ?? 'unknown',
      load: loadTool().name,
    }
  } finally {
    await client.end()
  }
}

/** The machine in one line. */
export function machineText({ processor, cores, node, postgres, load }: Machine): string {
  return `${processor}, ${cores} cores, Node ${node}, Postgres ${postgres}, load by ${load}`
}

/** Formats a figure. */
export function readable(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

function cellsOf(figure: GoalFigure): readonly string[] {
  const { name, unit, floor, measured, ratio, goal, holds, details = {} } = figure
  const least = details['ratio least']
  const most = details['ratio most']
  const spread = least === undefined || most === undefined ? '' : ` (${readable(least)}–${readable(most)})`
  return [
    name,
    floor === null ? '' : readable(floor),
    `${readable(measured)} ${unit}`,
    ratio === null ? '' : `${readable(ratio)}${spread}`,
    details['peer of floor'] === undefined ? '' : readable(details['peer of floor']),
    goal,
    goal.startsWith('none') ? '' : holds ? 'yes' : '**no**',
  ]
}

const heads = ['what', 'floor', 'measured', 'ratio (of single rounds)', 'ratio of a peer', 'goal', 'holds']

/** The figures as an aligned Markdown table. */
export function figuresTable(figures: readonly GoalFigure[]): string {
  const rows = [heads, heads.map(() => '---'), ...figures.map(cellsOf)]
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}

/** Further measurements, one line per figure that has any. */
export function detailsText(figures: readonly GoalFigure[]): string {
  const lines = figures.flatMap(({ name, details = {} }) => {
    const shown = Object.entries(details).filter(([detail]) => !detail.startsWith('ratio '))
    if (shown.length === 0) return []
    return [`${name}: ${shown.map(([detail, value]) => `${detail} ${readable(value)}`).join(', ')}`]
  })
  return lines.join('\n')
}

/** Replaces the text between the two comments of this name. */
export function replaceBetween(text: string, name: string, replacement: string): string {
  const [begin, end] = [`<!-- ${name} begin -->`, `<!-- ${name} end -->`]
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`the comments ${begin} and ${end} are missing`)
  return `${text.slice(0, from + begin.length)}\n\n${replacement}\n\n${text.slice(to)}`
}
