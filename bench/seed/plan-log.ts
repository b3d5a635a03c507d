import { open } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** The server settings that `PlanLog` needs from the start; nothing is explained until it is asked to. */
export const planLogSettings: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_format': 'json',
  'auto_explain.log_analyze': 'on',
  // Reading the clock for every row would take longer than the rows.
  'auto_explain.log_timing': 'off',
}

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How the database executed one of our statements. */
export interface RunStatement {
  readonly text: string
  readonly ms: number
  /** The indexes it read. */
  readonly indexes: readonly string[]
  /** The tables it scanned sequentially. */
  readonly wholeTables: readonly string[]
  /** The rows it read, returned or not. */
  readonly rows: number
}

function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan
  for (const child of plan.Plans ?? []) yield* nodesOf(child)
}

function rowsOf(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return ((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0)
}

function read(ms: string, json: string): RunStatement {
  const { 'Query Text': text, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode }
  const nodes = [...nodesOf(plan)].filter((node) => (node['Actual Loops'] ?? 0) > 0)
  const scans = nodes.filter(
    (node) => node['Relation Name'] !== undefined && node['Node Type'].endsWith('Scan'),
  )
  return {
    text,
    ms: Number(ms),
    indexes: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? []))],
    wholeTables: scans
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
    rows: Math.round(scans.reduce((sum, node) => sum + rowsOf(node), 0)),
  }
}

/** The statements in a part of the server's log, as auto_explain writes them. */
export function readPlans(log: string): readonly RunStatement[] {
  const entries = log.matchAll(/LOG: {2}duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)
  return [...entries].map(([, ms = '', json = '']) => read(ms, json.replace(/^\t/gm, '')))
}

/** The time allowed for a changed setting or a log line to arrive. */
const settleMs = 300

/** Has the server explain the statements of the system. */
export class PlanLog {
  readonly #client: pg.Client
  readonly #logFile: string

  constructor(client: pg.Client, logFile: string) {
    this.#client = client
    this.#logFile = logFile
  }

  /** The statements that the server executed while `work` ran. */
  async during(work: () => Promise<void>): Promise<readonly RunStatement[]> {
    const log = await open(this.#logFile, 'r')
    try {
      const { size } = await log.stat()
      await this.#explain('0')
      try {
        await work()
      } finally {
        await this.#explain('-1')
      }
      const bytes = Buffer.alloc((await log.stat()).size - size)
      await log.read(bytes, 0, bytes.length, size)
      return readPlans(bytes.toString())
    } finally {
      await log.close()
    }
  }

  async #explain(fromMs: string): Promise<void> {
    await this.#client.query(`ALTER SYSTEM SET auto_explain.log_min_duration = ${fromMs}`)
    await this.#client.query('SELECT pg_reload_conf()')
    await sleep(settleMs)
  }
}
