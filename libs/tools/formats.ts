import type { Format } from './tool.js'

/** JSON (RFC 8259). */
export const json: Format = { mediaType: 'application/json', extension: 'json', kind: 'json' }
/** A JSON value on each line. */
export const ndjson: Format = { mediaType: 'application/x-ndjson', extension: 'ndjson', kind: 'ndjson' }
/** Comma-separated values, or with another separator. */
export const csv: Format = { mediaType: 'text/csv', extension: 'csv', kind: 'csv' }
/** Text of any kind. */
export const plainText: Format = { mediaType: 'text/plain', extension: 'txt', kind: 'text' }
