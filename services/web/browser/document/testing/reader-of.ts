import type { PartQueries, PartQuery, QueryResult } from '../document-messages.js'
import type { DocumentReader, PartReader } from '../document-reader.js'
import { queryMethods, type RunQuery } from '../query-methods.js'
import { readDocument } from '../read-document.js'
import type { ReadPart } from '../read-part.js'

function queriesOn(queries: PartQueries): RunQuery {
  return <Q extends PartQuery>(query: Q) =>
    async (...args: Parameters<PartReader[Q]>): Promise<QueryResult<Q>> =>
      queries[query](...args)
}

/** A reader of this JSON text without a worker. Results arrive in microtasks. */
export function readerOf(json: string, tool = ''): DocumentReader {
  const { opened, openPart } = readDocument(new TextEncoder().encode(json), tool)
  return {
    opened: Promise.resolve(opened),
    async openPart(index, kind, csv) {
      const part = await openPart(index, kind, csv)
      return { part: part.opened, ...queryMethods(queriesOn(part.queries)), close: () => undefined }
    },
    close: () => undefined,
  }
}

/** The part of this JSON text that opens first, with synchronous queries. */
export async function firstPart(json: string): Promise<ReadPart> {
  const { opened, openPart } = readDocument(new TextEncoder().encode(json))
  return openPart(opened.firstPart, null)
}

/** A reader of that part. */
export async function firstPartReader(json: string): Promise<PartReader> {
  const reader = readerOf(json)
  const { firstPart: index } = await reader.opened
  return reader.openPart(index, null)
}
