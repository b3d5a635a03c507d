/** Whether a text is a patch: a hunk that follows the names of what it changes. */
export function looksLikePatch(text: string): boolean {
  return /^--- [^\n]+\n\+\+\+ [^\n]+\n@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(
    text.replaceAll('\r\n', '\n').slice(0, 1_048_576),
  )
}

const comments = /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*/
const statement =
  /^(?:select\s[^;]*\sfrom\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|merge\s+into\s|(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temporary\s+)?(?:table|index|view|function|schema|database|type)\s|with\s+(?:recursive\s+)?\S+\s+as\s*\(|begin\s*;)/i

/** What no sentence ends like, so that `Select a seat from the map.` stays one. */
const prose = /[a-z]\.\s*$/i

/** Whether a text is SQL: it begins with a statement, after comments. */
export function looksLikeSql(text: string): boolean {
  const begin = text.slice(0, 65_536).replace(comments, '')
  return statement.test(begin) && (!prose.test(text.slice(-200)) || text.trimEnd().endsWith(';'))
}

const htmlRoot = /^\s*(?:<!--[\s\S]{0,5000}?-->\s*)?(?:<!doctype\s+html|<html[\s>])/i
const htmlElement =
  /^\s*<(?:a|article|aside|body|button|div|footer|form|h[1-6]|head|header|img|li|main|nav|ol|p|section|span|strong|table|ul|script|style|br|hr|input)[\s/>]/i

/** Whether a text is a page of HTML, or a piece of one that ends as it begins: with a tag. */
export function looksLikeHtml(text: string): boolean {
  return (
    htmlRoot.test(text) ||
    (htmlElement.test(text) && />\s*$/.test(text) && /<\/[a-z]|<(?:br|hr|img|input)[\s/>]/i.test(text))
  )
}

/** Signs of Markdown, of which text that is none has hardly two. */
const signs = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)[\w-]*$/m,
  /\[[^\]\n]{1,300}\]\((?:https?:\/\/|\/|#|\.|mailto:)[^)\s]{0,2000}\)/,
  /^\s{0,3}[-*+] \S[^\n]*\n\s{0,3}[-*+] \S/m,
  /^\s{0,3}1[.)] \S[^\n]*\n\s{0,3}2[.)] \S/m,
  /^\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/m,
  /(?:^|\s)(?:\*\*|__)[^\s*_][^*_\n]{0,300}(?:\*\*|__)/m,
  /(?:^|\s)`[^`\n]+`/m,
  /^> \S/m,
  /^\S[^\n]*\n(?:={3,}|-{3,})\s*$/m,
]

/** Whether a text is Markdown: two signs of it, or a heading with a text below it. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.replaceAll('\r\n', '\n').slice(0, 65_536)
  const found = signs.filter((sign) => sign.test(head)).length
  // A program has comments that begin with `#`, but not one heading and then a blank line at its very beginning.
  return found >= 2 || (found === 1 && /^\s*#{1,6} \S[^\n]*\n\s*\n\S/.test(head))
}

/** Whether a text may be TOML: each outermost line is a key with a value, a header or a comment. */
export function looksLikeToml(text: string): boolean {
  const key = '(?:[\\w-]+|"[^"\\n]*"|\'[^\'\\n]*\')'
  return new RegExp(
    `^(?:\\s*(?:#[^\\n]*)?\\n)*\\s*(?:\\[{1,2}\\s*${key}|${key}(?:\\s*\\.\\s*${key})*\\s*=\\s*\\S)`,
  ).test(text)
}
