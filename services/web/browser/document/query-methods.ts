import type { PartQuery, QueryResult } from './document-messages.js'
import type { PartReader } from './document-reader.js'

/** Makes the reader method that runs this query. */
export type RunQuery = <Q extends PartQuery>(
  query: Q,
) => (...args: Parameters<PartReader[Q]>) => Promise<QueryResult<Q>>

/** The methods of a reader, one per query. */
export function queryMethods(run: RunQuery): Pick<PartReader, PartQuery> {
  return {
    lineCount: run('lineCount'),
    lines: run('lines'),
    findText: run('findText'),
    lineOf: run('lineOf'),
    root: run('root'),
    children: run('children'),
    locate: run('locate'),
    findNode: run('findNode'),
    textOf: run('textOf'),
    table: run('table'),
    rows: run('rows'),
    cell: run('cell'),
    positionOf: run('positionOf'),
    findCell: run('findCell'),
    wholeText: run('wholeText'),
    markup: run('markup'),
    picture: run('picture'),
    diff: run('diff'),
    diffRows: run('diffRows'),
  }
}
