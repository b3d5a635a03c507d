import { type Body, bodyOf, type Content, jsonBody } from './content.js'

/** What a snippet or share holds: exactly one of `data`, `json` and `content`. */
export type Holding =
  /** An object, written by `JSON.stringify`: numbers are those of JavaScript. */
  | { readonly data: Readonly<Record<string, unknown>>; readonly json?: never; readonly content?: never }
  /** The JSON text of `data`, kept byte for byte. */
  | { readonly json: Content; readonly data?: never; readonly content?: never }
  /** The content itself, as text in UTF-8; it becomes the member `key` of `data`, by default the last word of `tool`. */
  | { readonly content: Content; readonly key?: string; readonly data?: never; readonly json?: never }

const dataType = 'application/vnd.snipkeep.data+json'

/** What a create sends. */
export interface Sent {
  readonly query: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: Body
}

/**
 * The query and body of a create. What is content travels as it is; fields go into the query then.
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
