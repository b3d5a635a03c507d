import { isLanguage, type Kind } from '../document/kinds/kind.js'
import { coloursAtOnce, coloursBy, type LineColours } from './line-colours.js'

const commentedJson =
  /(?<comment>\/\/.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|^\s*\*(?:\s.*|\/)?$)|(?<key>(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\w$]{1,200})(?=\s{0,8}:))|(?<string>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(?<number>[-+]?\.?\d[\w.+-]*)|(?<keyword>\b(?:true|false|null|Infinity|NaN)\b)/g
const markdown =
  /(?<keyword>^#{1,6} .*)|(?<comment>^>.*|^(?:```|~~~).*)|(?<string>`[^`]+`)|(?<key>\[[^\]]*\]\([^)]*\))|(?<number>^\s*(?:[-*+]|\d+[.)]) )/g
const patch =
  /(?<comment>^(?:diff |index |--- |\+\+\+ ).*)|(?<keyword>^@@.*)|(?<string>^\+.*)|(?<number>^-.*)/g

/** A tokeniser for texts of this kind; a programming language needs the whole text. */
export function lineColours(of: Kind): LineColours {
  if (of === 'jsonc' || of === 'json5') return coloursBy(commentedJson)
  if (of === 'markdown') return coloursBy(markdown)
  return of === 'patch' ? coloursBy(patch) : (coloursAtOnce(of) ?? (() => []))
}

/** Parsers of programming languages need the whole text at once. */
const codeBytesMax = 1_048_576

/** The colours of a text of this kind. */
export async function coloursOf(
  kind: Kind,
  sizeBytes: number,
  source: () => Promise<string>,
): Promise<LineColours> {
  if (!isLanguage(kind) || sizeBytes > codeBytesMax) return lineColours(kind)
  const code = await import('./code-colours.js')
  return code.coloursOf(kind, await source())
}
