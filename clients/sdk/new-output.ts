import { type Body, bodyOf, type Content, jsonBody } from './content.js'

/** The content of a snippet or share: exactly one of `data`, `json` and `content`. */
export type Holding =
  /** An object, serialised by `JSON.stringify`, with the precision of JavaScript numbers. */
  | { readonly data: Readonly<Record<string, unknown>>; readonly json?: never; readonly content?: never }
  /** The JSON text of `data`, kept byte for byte. */
  | { readonly json: Content; readonly data?: never; readonly content?: never }
  /** UTF-8 text; it becomes the member `key` of `data`, by default the last word of `tool`. */
  | { readonly content: Content; readonly key?: string; readonly data?: never; readonly json?: never }

const dataType = 'application/vnd.snipkeep.data+json'

/** The query and body of a create. */
export interface Sent {
  readonly query: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: Body
}

/**
 * Builds the query and body of a create. `content` is sent as the raw body, and the fields as the query.
 * @param fields of the JSON body.
 */
export function sentOf(
  holding: Holding,
  fields: Readonly<Record<string, unknown>>,
  query: Sent['query'],
): Sent {
  if (holding.data !== undefined)
    return { query: {}, body: jsonBody(JSON.stringify({ ...fields, data: holding.data })) }
  if (holding.json !== undefined) return { query, body: bodyOf(holding.json, dataType) }
  const key = 'key' in holding ? holding.key : undefined
  return { query: { ...query, key }, body: bodyOf(holding.content, 'text/plain; charset=utf-8') }
}
