import type { Format } from './tool.js'

/** JSON (RFC 8259). */
export const json: Format = { mediaType: 'application/json', extension: 'json', kind: 'json' }
/** A schema of JSON, as JSON. */
export const jsonSchema: Format = { mediaType: 'application/schema+json', extension: 'json', kind: 'json' }
/** A JSON value on each line. */
export const ndjson: Format = { mediaType: 'application/x-ndjson', extension: 'ndjson', kind: 'ndjson' }
/** Comma-separated values, or with another separator. */
export const csv: Format = { mediaType: 'text/csv', extension: 'csv', kind: 'csv' }
/** Text of any kind. */
export const plainText: Format = { mediaType: 'text/plain', extension: 'txt', kind: 'text' }
/** Bytes of any kind. */
export const bytes: Format = { mediaType: 'application/octet-stream', extension: 'bin', kind: 'text' }
/** A JSON Web Token, as text. */
export const jwt: Format = { mediaType: 'application/jwt', extension: 'jwt', kind: 'jwt' }
/** SQL of any dialect. */
export const sql: Format = { mediaType: 'application/sql', extension: 'sql', kind: 'sql' }
/** YAML 1.2 (RFC 9512). */
export const yaml: Format = { mediaType: 'application/yaml', extension: 'yaml', kind: 'yaml' }
/** XML 1.0. */
export const xml: Format = { mediaType: 'application/xml', extension: 'xml', kind: 'xml' }
/** Types in TypeScript. */
export const typeScript: Format = { mediaType: 'text/typescript', extension: 'ts', kind: 'text' }
