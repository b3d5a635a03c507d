import type { z } from 'zod'
import { validationFailed } from '#libs/core/domain-error.js'
import type { NewData } from '#proto/snipkeep/content/v1/document_service.js'
import { readBody } from '../body/read-body.js'
import type { Caller, Exchange } from '../exchange.js'
import { openDocumentSink, type UploadPurpose } from './document-sink.js'
import { parseBodyFields } from './parse-fields.js'
import type { RouteParts } from './route-parts.js'

/** The body of a write request: its checked fields, and where the bytes of `data` are. */
export interface Received<Fields> {
  readonly fields: Fields
  /** Absent when there was no `data`. */
  readonly data: NewData | undefined
}

/**
 * Reads and checks the body of a write request. What was uploaded is withdrawn when anything is wrong.
 * @throws DomainError for every way in which a body can be refused (400, 408, 413, 415, 503).
 */
export async function receiveBody<Schema extends z.ZodObject>(
  parts: RouteParts,
  exchange: Exchange,
  caller: Caller,
  schema: Schema,
  dataNeeded: 'required' | 'optional',
  noun: 'snippet' | 'share',
  purpose: UploadPurpose,
): Promise<Received<z.infer<Schema>>> {
  throw new Error(
    `${[parts, exchange, caller, schema, dataNeeded, noun, purpose, readBody, validationFailed, openDocumentSink, parseBodyFields].length}`,
  )
}
