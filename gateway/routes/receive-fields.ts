import type { z } from 'zod'
import { defaultBodyTimeLimits, readBody } from '../body/read-body.js'
import type { Exchange } from '../exchange.js'
import { parseBodyFields } from './parse-fields.js'
import type { RouteParts } from './route-parts.js'

function noSink(): never {
  throw new Error('a body without data has no document')
}

/**
 * Reads and checks the body of a write request that has no `data`: at most 64 KiB of JSON.
 * @param rawFields the fields that are kept as `RawJson`, as they were sent.
 * @throws DomainError for every way in which a body can be refused (400, 408, 413, 415, 503).
 */
export async function receiveFields<Schema extends z.ZodObject>(
  { uploads }: Pick<RouteParts, 'uploads'>,
  { request, response }: Pick<Exchange, 'request' | 'response'>,
  schema: Schema,
  rawFields: readonly (string & keyof z.infer<Schema>)[] = [],
): Promise<z.infer<Schema>> {
  const rules = {
    fields: new Set(Object.keys(schema.shape)),
    rawFields: new Set<string>(rawFields),
    data: null,
    limits: defaultBodyTimeLimits,
  }
  const { fields, problems } = await readBody(request, response, rules, noSink, uploads)
  return parseBodyFields(schema, fields, problems)
}
