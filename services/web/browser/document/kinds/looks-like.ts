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

/** Signs of Markdown; other text rarely has two of them. */
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

/** How lines of code and configuration begin or end, and lines of prose rarely do. */
const codeLine =
  /[;{}([]$|^[)\]}]+,?$|^[^\]]*\)[:,]?$|^(?:\/\/|\/\*|#!|@\w|"""|(?:import|export|from|def|class|return|const|let|var|function|if|for|elif|else|except|try|with|raise|assert|self)\b[^.]*$|[A-Z]{2,} [a-z/-]|#?\s?\$?[\w.]+\s*[-+:]?=)/

/** Whether a fifth of the lines are code, not counting code blocks in a text. */
function looksLikeCode(text: string): boolean {
  let [lines, code, isFenced] = [0, 0, false]
  for (const whole of text.split('\n')) {
    const line = whole.trim()
    if (/^(?:```|~~~)/.test(line)) isFenced = !isFenced
    // Lines that begin with `*` are a list or a comment; deeply indented lines are code in either.
    else if (line !== '' && !isFenced && !/^(?: {4}|\t|\s*\*)/.test(whole)) {
      lines += 1
      if (codeLine.test(line)) code += 1
    }
  }
  return code * 5 > lines
}

/** Whether a text is Markdown and not code: two signs of it, or a heading followed by text. */
export function looksLikeMarkdown(text: string): boolean {
  const head = text.replaceAll('\r\n', '\n').slice(0, 65_536)
  const found = signs.filter((sign) => sign.test(head)).length
  // Code has comments that begin with `#`, but not one heading and a blank line at its very beginning.
  const isMarked = found >= 2 || (found === 1 && /^\s*#{1,6} \S[^\n]*\n\s*\n\S/.test(head))
  return isMarked && !looksLikeCode(head)
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
