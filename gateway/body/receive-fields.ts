import type { z } from 'zod'
import type { RouteParts } from '../features/feature-dependencies.js'
import { readIdempotencyKey } from '../http/idempotency-key.js'
import type { RequestContext } from '../http/request-context.js'
import { parseBodyFields } from './parse-fields.js'
import { defaultBodyTimeLimits, readBody } from './read-body.js'

/** What a body without `data` must be like. */
export interface FieldWishes<Schema extends z.ZodObject> {
  readonly fields: Schema
  /** The fields that are kept as `RawJson`, as they were sent. */
  readonly rawFields?: readonly (string & keyof z.infer<Schema>)[]
  /** Whether `Idempotency-Key` counts. */
  readonly repeatable: boolean
}

/** A body without `data`. */
export interface ReceivedFields<Fields> {
  readonly fields: Fields
  /** Empty when there was none. */
  readonly idempotencyKey: string
}

function noSink(): never {
  throw new Error('a body without data has no document')
}

/**
 * Reads and checks the body of a write request that has no `data`: at most 64 KiB of JSON.
 * @throws DomainError for every way in which a body can be refused (400, 408, 413, 415, 503).
 */
export async function receiveFields<Schema extends z.ZodObject>(
  { uploads }: Pick<RouteParts, 'uploads'>,
  context: RequestContext,
  wishes: FieldWishes<Schema>,
): Promise<ReceivedFields<z.infer<Schema>>> {
  let idempotencyKey = ''
  const rules = {
    fields: new Set(Object.keys(wishes.fields.shape)),
    rawFields: new Set<string>(wishes.rawFields),
    data: null,
    limits: defaultBodyTimeLimits,
    checkHead: (): void => {
      if (wishes.repeatable) idempotencyKey = readIdempotencyKey(context)
    },
  }
  const { request, response } = context
  const { fields, problems } = await readBody(request, response, rules, noSink, uploads)
  return { fields: parseBodyFields(wishes.fields, fields, problems), idempotencyKey }
}
