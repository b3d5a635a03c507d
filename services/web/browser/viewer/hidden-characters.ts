import { element } from './element.js'

/** A piece of text, or the code point of an invisible character. */
export interface TextPiece {
  readonly text: string
  readonly code: string | null
}

/** Control characters except tab, direction marks, and characters without width. */
const hidden = /((?!\t)[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff])/u

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** Splits a text at invisible and direction-changing characters; joined, the pieces are the text. */
export function splitHidden(text: string): readonly TextPiece[] {
  const pieces = text.split(hidden)
  return pieces.flatMap((piece, index) => {
    if (piece === '') return []
    return [{ text: piece, code: index % 2 === 1 ? codeOf(piece) : null }]
  })
}

/**
 * Text in which invisible and direction-changing characters are labelled and isolated. Copying it yields the
 * original.
 */
export function nameHidden(text: string): readonly (Node | string)[] {
  return splitHidden(text).map(({ text: piece, code }) => {
    if (code === null) return piece
    const shown = element('span', 'viewer-hidden', piece)
    shown.dataset.code = code
    return shown
  })
}
