import { median, quantile } from '../../e2e/harness/quantile.js'
import type { TestSystem } from '../../e2e/harness/system.js'
import type { Bench } from '../bench.js'
import type { GoalFigure } from '../goal.js'
import { comparePages } from '../page-goal.js'
import type { PlanLog, RunStatement } from '../seed/plan-log.js'
import { type Callers, callOnce, type SeededPlaces, type SeededRequest } from '../seed/seeded-calls.js'
import { openSeededDatabase, type SeededDatabase } from '../seed/seeded-database.js'
import { seededCallers, startOnSeeded } from '../seed/seeded-system.js'
import { type GatewayCost, measureGateways } from './scale-gateways.js'
import { scaleRequests } from './scale-requests.js'

const gateways = 3
/**
 * The driver prepares a statement again for each of the first five runs; afterwards one plan may serve them
 * all.
 */
const explainedRuns = 8
const largeTables = /^(?:snippet|share|entry)(?:_|$)/

/** The result for one kind of request. */
interface RequestFigures {
  readonly name: string
  readonly medianMs: number
  readonly p95Ms: number
  /** The database time of a request's statements, the median of the explained runs. */
  readonly databaseMs: number
  readonly indexes: readonly string[]
  readonly rows: number
  /** What is wrong with its execution plans. */
  readonly faults: readonly string[]
}

function faultsOf(
  request: SeededRequest,
  statements: readonly RunStatement[],
  runs: number,
): readonly string[] {
  const indexes = new Set(statements.flatMap((statement) => statement.indexes))
  const foreign = [...indexes].filter((index) => largeTables.test(index) && !request.indexes.includes(index))
  const whole = statements.flatMap(({ wholeTables }) =>
    wholeTables.filter((table) => largeTables.test(table)),
  )
  const used = request.indexes.length === 0 || request.indexes.some((index) => indexes.has(index))
  const rows = largestRows(statements, runs)
  return [
    ...foreign.map((index) => `reads by ${index}`),
    ...[...new Set(whole)].map((table) => `reads all of ${table}`),
    ...(used ? [] : [`reads by none of ${request.indexes.join(', ')}`]),
    ...(rows > request.rowsMax ? [`looks at ${rows} rows, and should at ${request.rowsMax} at most`] : []),
  ]
}

const isLarge = ({ indexes, wholeTables }: RunStatement): boolean =>
  [...indexes, ...wholeTables].some((name) => largeTables.test(name))

function largestRows(statements: readonly RunStatement[], runs: number): number {
  const sum = statements.filter(isLarge).reduce((total, { rows }) => total + rows, 0)
  return Math.round(sum / runs)
}

async function explain(plans: PlanLog, callers: Callers, request: SeededRequest) {
  const statements = await plans.during(async () => {
    for (let run = 0; run < explainedRuns; run += 1) await callOnce(callers, request)
  })
  const databaseMs = statements.reduce((sum, { ms }) => sum + ms, 0) / explainedRuns
  const indexes = [...new Set(statements.flatMap((one) => one.indexes))].filter((name) =>
    largeTables.test(name),
  )
  const faults = faultsOf(request, statements, explainedRuns)
  return { databaseMs, indexes, rows: largestRows(statements, explainedRuns), faults }
}

async function measureRequest(
  { plans }: SeededDatabase,
  callers: Callers,
  request: SeededRequest,
  times: number,
): Promise<RequestFigures> {
  const explained = await explain(plans, callers, request)
  const ms: number[] = []
  for (let run = 0; run < times; run += 1) ms.push(await callOnce(callers, request))
  return { name: request.name, medianMs: median(ms), p95Ms: quantile(ms, 0.95), ...explained }
}

function printRequest({ name, medianMs, p95Ms, databaseMs, rows, indexes, faults }: RequestFigures): void {
  const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0)
  console.log(
    `  ${name.padEnd(40)} ${ms(medianMs).padStart(6)} ms, p95 ${ms(p95Ms).padStart(6)}; in the database ${ms(databaseMs).padStart(6)} ms, ${String(rows).padStart(6)} rows by ${indexes.join(', ') || 'none'}`,
  )
  for (const fault of faults) console.log(`    FAULT: ${fault}`)
}

function printGateways(costs: readonly GatewayCost[]): void {
  console.log('\nprocessor time of a request:')
  for (const cost of costs) {
    console.log(
      `  ${cost.load.padEnd(10)} ${cost.gateways} gateways: ${cost.gatewayMicros.toFixed(0)} µs in gateways, ${cost.contentMicros.toFixed(0)} in content, ${cost.postgresMicros.toFixed(0)} in Postgres; ${cost.requestsPerSecond.toFixed(0)} requests/s`,
    )
  }
}

async function loadGateways(
  system: TestSystem,
  database: SeededDatabase,
  { snippets }: SeededPlaces,
  token: string,
  seconds: number,
): Promise<readonly GatewayCost[]> {
  const read = {
    name: 'snippet',
    method: 'GET',
    paths: snippets.map((id) => `/api/snippets/${id}`),
    status: 200,
  } as const
  const page = { name: 'page', method: 'GET', paths: ['/api/snippets'], status: 200 } as const
  const body = JSON.stringify({ tool: 'bench', title: 'Bench', data: { text: 'x'.repeat(1_000) } })
  const create = { name: 'create', method: 'POST', paths: ['/api/snippets'], status: 201, body } as const
  const costs: GatewayCost[] = []
  for (const load of [read, page, create])
    costs.push(...(await measureGateways(system, database, load, token, { rounds: 3, seconds })))
  return costs
}

function soundFigure(figures: readonly RequestFigures[]): GoalFigure {
  const sound = figures.filter(({ faults }) => faults.length === 0).length
  return {
    name: 'frequent requests whose statements read few rows, by the index meant for them',
    unit: 'requests',
    floor: figures.length,
    measured: sound,
    ratio: sound / figures.length,
    goal: 'all',
    holds: sound === figures.length,
  }
}

async function measureOn(
  database: SeededDatabase,
  quick: boolean,
  seconds: number,
): Promise<readonly GoalFigure[]> {
  const system = await startOnSeeded(database, { gateways })
  try {
    const callers = await seededCallers(system)
    const places = await database.places()
    const requests = scaleRequests(places)
    console.log(`\nan owner with ${database.rows.toLocaleString('en')} snippets:`)
    // The first requests of a process are slow, whoever sends them.
    for (const request of requests.filter(({ method }) => method === undefined))
      await callOnce(callers, request)
    const pages = await comparePages(callers, database, quick)
    const figures: RequestFigures[] = []
    for (const request of requests) {
      const figure = await measureRequest(database, callers, request, quick ? 20 : 50)
      printRequest(figure)
      figures.push(figure)
    }
    if (!quick)
      printGateways(await loadGateways(system, database, places, callers.tokens.many ?? '', seconds))
    return [...pages, soundFigure(figures)]
  } finally {
    await system.stop()
  }
}

/**
 * A database of millions of rows, created by `npm run bench:seed`: nothing in it may be slower than in a
 * small one.
 */
export const scale: Bench = {
  name: 'scale',
  async measure({ quick, seconds }) {
    const database = await openSeededDatabase()
    try {
      return await measureOn(database, quick, seconds)
    } finally {
      await database.stop()
    }
  },
}
