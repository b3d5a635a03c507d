import type { PartQuery, QueryResult } from './document-messages.js'
import type { PartReader } from './document-reader.js'

/** Makes the reader method that runs this query. */
export type RunQuery = <Q extends PartQuery>(
  query: Q,
) => (...args: Parameters<PartReader[Q]>) => Promise<QueryResult<Q>>

/** All queries; the type asks for each of them. */
const queries: Readonly<Record<PartQuery, 1>> = {
  lineCount: 1,
  lines: 1,
  findText: 1,
  lineOf: 1,
  root: 1,
  children: 1,
  locate: 1,
  findNode: 1,
  textOf: 1,
  table: 1,
  rows: 1,
  cell: 1,
  positionOf: 1,
  findCell: 1,
  wholeText: 1,
  markup: 1,
  picture: 1,
  diff: 1,
  diffRows: 1,
}

/** The methods of a reader, one per query. */
export function queryMethods(run: RunQuery): Pick<PartReader, PartQuery> {
  const methods = Object.keys(queries).map((query) => [query, run(query as PartQuery)])
  return Object.fromEntries(methods)
}
