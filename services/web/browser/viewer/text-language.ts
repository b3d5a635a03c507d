import type { OpenedDocument } from '../document/document-reader.js'

/** What a text is coloured as. */
export type TextLanguage = 'json' | 'sql' | 'plain'

const leadingComments = /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*/
const statement =
  /^(?:select\s[^;]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temporary\s+)?(?:table|index|view|function|schema|database|type)\s|with\s+\S+\s+as\s|begin\s*;)/i

/** The language of the shown text of a document that begins with `head`. */
export function textLanguage(
  { kind, singleKey }: Pick<OpenedDocument, 'kind' | 'singleKey'>,
  head: string,
): TextLanguage {
  if (kind === 'json') return 'json'
  if (kind === 'csv') return 'plain'
  const begin = head.replace(leadingComments, '')
  return singleKey?.toLowerCase() === 'sql' || statement.test(begin) ? 'sql' : 'plain'
}
