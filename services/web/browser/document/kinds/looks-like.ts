/** Whether a text is a patch: a hunk after the names of the files it changes. */
export function looksLikePatch(text: string): boolean {
  return /^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(
    text.replaceAll('\r\n', '\n').slice(0, 1_048_576),
  )
}

const comments = /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*/
const statement =
  /^(?:select\s[^;]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temp(?:orary)?\s+|materialized\s+)?(?:table|index|view|function|procedure|trigger|sequence|extension|role|user|schema|database|type|domain)\s|(?:grant|revoke)\s[^;]*\son\s[^;]*\s(?:to|from)\s|truncate\s+table\s|with\s+(?:recursive\s+)?\S+\s+as\s*\(|begin\s*;)/i

/** What no sentence ends with, so that `Select a seat from the map.` is not SQL. */
const prose = /[a-z]\.\s*$/i

/** Whether a text is SQL: it begins with a statement, after comments. */
export function looksLikeSql(text: string): boolean {
  const begin = text.slice(0, 65_536).replace(comments, '')
  return statement.test(begin) && (!prose.test(text.slice(-200)) || text.trimEnd().endsWith(';'))
}

const htmlRoot = /^\s*(?:<!--[\s\S]{0,5000}?-->\s*)?(?:<!doctype\s+html|<html[\s>])/i
const htmlElement =
  /^\s*<(?:a|article|aside|body|button|div|footer|form|h[1-6]|head|header|img|li|main|nav|ol|p|section|span|strong|table|ul|script|style|br|hr|input)[\s/>]/i

/** Whether a text is an HTML page, or a fragment that begins and ends with a tag. */
export function looksLikeHtml(text: string): boolean {
  return (
    htmlRoot.test(text) ||
    (htmlElement.test(text) && />\s*$/.test(text) && /<\/[a-z]|<(?:br|hr|img|input)[\s/>]/i.test(text))
  )
}

const emptyLines = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*/
const tomlBegin =
  /^[ \t]*(?:\[{1,2}[ \t]*(?:[\w-]|"[^"\n]*"|'[^'\n]*')|(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*[ \t]*=[ \t]*\S)/

/**
 * Whether a text may be TOML, and so is worth parsing: its first meaningful line is a header or a key with a
 * value.
 */
export function looksLikeToml(text: string): boolean {
  return tomlBegin.test(text.replace(emptyLines, ''))
}
