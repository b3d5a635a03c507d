import { visibleMarks } from '#libs/core/readable-text.js'

/** Longer text does not fit into a row. */
const rowLengthMax = 300

/** Text for one row: line breaks and tabs become symbols, direction marks become visible. */
export function rowText(text: string): string {
  const cut = text.length > rowLengthMax ? `${text.slice(0, rowLengthMax)}…` : text
  return visibleMarks(cut.toWellFormed())
    .replace(/\r\n|[\n\r\u2028\u2029]/g, '↵')
    .replaceAll('\t', '⇥')
}

/** A quoted string for one row, with invisible characters escaped. */
export function quotedText(text: string): string {
  return visibleMarks(JSON.stringify(text)).replace(
    /[\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  )
}
