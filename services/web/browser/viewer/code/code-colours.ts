import type { Extension } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, MatchDecorator, ViewPlugin } from '@codemirror/view'
import type { TextLanguage } from './text-language.js'
import { type TokenKind, tokenKind, tokenPattern } from './token-patterns.js'

const marks: Readonly<Record<TokenKind, Decoration>> = {
  key: Decoration.mark({ class: 'token-key' }),
  string: Decoration.mark({ class: 'token-string' }),
  number: Decoration.mark({ class: 'token-number' }),
  keyword: Decoration.mark({ class: 'token-keyword' }),
  comment: Decoration.mark({ class: 'token-comment' }),
}
const foundMark = Decoration.mark({ class: 'viewer-found' })

/** Longer than any line that a part holds, so that tokens are never looked for from within one. */
const lineLengthMax = 50_000

/** Decorates what a pattern matches in the lines that are in sight, and in no others. */
function decorateMatches(
  regexp: RegExp,
  decorationOf: (match: RegExpExecArray) => Decoration | null,
): Extension {
  const decorator = new MatchDecorator({
    regexp,
    maxLength: lineLengthMax,
    decorate(add, from, to, match) {
      const decoration = decorationOf(match)
      if (decoration !== null && from < to) add(from, to, decoration)
    },
  })
  return ViewPlugin.define<{
    decorations: DecorationSet
    update(update: Parameters<typeof decorator.updateDeco>[0]): void
  }>(
    (view) => ({
      decorations: decorator.createDeco(view),
      update(update) {
        this.decorations = decorator.updateDeco(update, this.decorations)
      },
    }),
    { decorations: (plugin) => plugin.decorations },
  )
}

/** The colours of a language. */
export function codeColours(language: TextLanguage): Extension {
  const pattern = tokenPattern(language)
  if (pattern === null) return []
  return decorateMatches(pattern, (match) => {
    const kind = tokenKind(match)
    return kind === null ? null : marks[kind]
  })
}

/** Marks wherever this text stands, whatever its case. */
export function foundText(wanted: string): Extension {
  if (wanted === '') return []
  return decorateMatches(new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu'), () => foundMark)
}

/** The editor in the colours of the page. What the tokens look like is the style sheet's. */
export const codeTheme: Extension = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--panel)', color: 'var(--ink)' },
  '&.cm-focused': { outline: '3px solid var(--accent)', outlineOffset: '-3px' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--code-size)',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': { padding: '0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 1rem 0 0', unicodeBidi: 'isolate' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--quiet)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': {
    minWidth: 'var(--number-width)',
    padding: '0 0.25rem 0 0.75rem',
    cursor: 'pointer',
  },
  '.cm-lineNumbers .cm-gutterElement:hover': { color: 'var(--accent)', textDecoration: 'underline' },
  '.cm-gutters:not(:has(.cm-foldGutter))': { paddingRight: '1.1rem' },
  '.cm-foldGutter': { width: '1.1rem' },
  '.cm-foldGutter span': { cursor: 'pointer' },
  '.cm-foldPlaceholder': {
    backgroundColor: 'var(--paper)',
    borderColor: 'var(--edge)',
    color: 'var(--quiet)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-specialChar': { color: 'var(--token-keyword)' },
})
