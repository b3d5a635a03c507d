import type { OpenedPart, PartReader, RowArrangement } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'

/** The views of a part: `source` is its own text as sent, `raw` the JSON of all data. */
export type ViewName = 'rendered' | 'picture' | 'diff' | 'text' | 'tree' | 'table' | 'source' | 'raw'

/** The parts a view is made from. */
export interface ViewParts {
  readonly reader: PartReader
  readonly part: OpenedPart
  /** Called with the place the reader chose and what is there, so that both can be copied. */
  onLink(place: DeepLink | null, value?: ChosenValue): void
  /** Called when the rows that are shown, or their order, have changed. */
  onRows(arrangement: RowArrangement): void
  /** Copies text and confirms it. */
  copy(text: string): Promise<void>
  /** The absolute link to a place in this document; `null` if the document has no links. */
  linkTo(place: DeepLink): string | null
}

/** What is at a chosen place. */
export interface ChosenValue {
  /** All of it; `null` if it is too much for the clipboard. */
  read(): Promise<string | null>
  /** Shows all of it, where only a row of it can be seen. */
  show?(): void
}

/** A view, which fills its host element. */
export interface View {
  /** Scrolls to a place and highlights it; `false` if it is not in this view. Only views with places can. */
  reveal?(place: DeepLink): Promise<boolean>
  /** Goes to the next or previous match, where there are any. */
  find?(wanted: ViewSearch): Promise<FoundMatch | null>
  /** Shows only the rows that contain a text, or all of them again when it is empty; only tables can. */
  filter?(text: string): Promise<void>
  /** Takes back the mark at what was chosen; only views with places can. */
  unmark?(): void
  /** Turns line wrapping on or off, in views with lines. */
  setWrap?(wrap: boolean): void
  /** Expands or collapses all that has something inside; only trees can. */
  expandAll?(isExpanded: boolean): Promise<void>
  close(): void
}

/** A search in a view. */
export interface ViewSearch {
  readonly text: string
  readonly backwards: boolean
  /** Whether a match at the current place is the next one. */
  readonly isHere?: boolean
  /** In a comparison: the next change, whatever its text. */
  readonly isChange?: boolean
}

/** The number of the current match; `null` if counting would take too long. */
export interface FoundMatch {
  readonly index: number | null
  readonly total: number | null
}

/** The exports of each view's module. */
export type OpenView = (host: HTMLElement, parts: ViewParts) => View | Promise<View>
