import { defaultKeymap } from '@codemirror/commands'
import { codeFolding, foldGutter, foldKeymap } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { pageNonce } from '../../page-nonce.js'
import { codeColours, codeTheme, foundText } from './code-colours.js'
import { foldByIndentation } from './fold-by-indentation.js'
import { heldPart, partState } from './part-state.js'
import type { TextLanguage } from './text-language.js'

/** What an editor is made for. */
export interface CodeEditorParts {
  readonly host: HTMLElement
  readonly label: string
  readonly language: TextLanguage
  /** Told of the line, counted from 0 in the document, whose number was pressed. */
  onLineNumber(line: number): void
}

/** An editor that only shows. */
export interface CodeEditor {
  readonly view: EditorView
  setWrap(wrap: boolean): void
  /** Marks this text wherever it stands. */
  setFound(wanted: string): void
}

function gutters(language: TextLanguage, onLineNumber: (line: number) => void): Extension {
  const numbers = lineNumbers({
    formatNumber: (number, state) => String(number + state.field(heldPart).firstLine),
    domEventHandlers: {
      mousedown(view, { from }) {
        onLineNumber(view.state.doc.lineAt(from).number - 1 + view.state.field(heldPart).firstLine)
        return true
      },
    },
  })
  if (language !== 'json') return numbers
  return [numbers, codeFolding(), foldGutter(), foldByIndentation, keymap.of(foldKeymap)]
}

/** An empty editor in its host, which nobody can write in: it has a caret for who goes and selects by keyboard. */
export function codeEditor({ host, label, language, onLineNumber }: CodeEditorParts): CodeEditor {
  const [wrapping, finding] = [new Compartment(), new Compartment()]
  const view = new EditorView({
    parent: host,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(pageNonce()),
        EditorState.readOnly.of(true),
        // No keyboard rises on a phone.
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-readonly': 'true',
          inputmode: 'none',
          tabindex: '0',
        }),
        partState,
        gutters(language, onLineNumber),
        highlightSpecialChars(),
        drawSelection(),
        keymap.of(defaultKeymap),
        codeColours(language),
        codeTheme,
        finding.of([]),
        wrapping.of([]),
      ],
    }),
  })
  return {
    view,
    setWrap: (wrap) => view.dispatch({ effects: wrapping.reconfigure(wrap ? EditorView.lineWrapping : []) }),
    setFound: (wanted) => view.dispatch({ effects: finding.reconfigure(foundText(wanted)) }),
  }
}
