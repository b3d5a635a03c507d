import { jsonBody } from './content.js'
import type { CompareData, Comparison } from './generated/types.js'
import type { CallOptions, Transport } from './transport.js'

/** What is compared: a snippet of yours (by id or `@name`), a share, or data of your own. */
export type ComparedSide = (
  | { readonly snippet: string; readonly version?: number | undefined }
  | { readonly share: string }
  | { readonly data: Readonly<Record<string, unknown>> }
  /** JSON text of an object: its numbers survive. */
  | { readonly json: string }
) & {
  /** Only the value at this JSON Pointer; a string is compared as its text. */
  readonly pointer?: string | undefined
}

/** How two sides are compared, and what is returned. */
export type CompareOptions = {
  readonly [Name in Exclude<keyof CompareData['body'], 'a' | 'b'>]?:
    | Readonly<CompareData['body'][Name]>
    | undefined
}

function sideText(side: ComparedSide): string {
  if (!('json' in side)) return JSON.stringify(side)
  return `{"data":${side.json}${side.pointer === undefined ? '' : `,"pointer":${JSON.stringify(side.pointer)}`}}`
}

/** Compares on the server, and parses the response: `from` and `to` are exact texts, unless `values` is `json`. */
export async function compare(
  send: Transport,
  a: ComparedSide,
  b: ComparedSide,
  how: CompareOptions,
  options?: CallOptions,
): Promise<Comparison> {
  const rest = JSON.stringify({ values: 'text', ...how }).slice(1)
  const body = jsonBody(`{"a":${sideText(a)},"b":${sideText(b)},${rest}`)
  const response = await send({ method: 'POST', path: '/api/compare', body }, options)
  return (await response.json()) as Comparison
}
