import type { OpenedPart, PartReader } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'

/** The ways in which a part can be looked at: `source` is its own text as it was sent, `raw` the JSON of all data. */
export type ViewName = 'rendered' | 'picture' | 'diff' | 'text' | 'tree' | 'table' | 'source' | 'raw'

/** Whether a view can be searched; the browser itself finds what stands in the others. */
export function isSearched(view: ViewName): boolean {
  return view !== 'rendered' && view !== 'picture' && view !== 'diff'
}

/** What a view is given. */
export interface ViewParts {
  readonly reader: PartReader
  readonly part: OpenedPart
  /** Told of the place that someone chose in the view, so that its link can be offered. */
  onPlace(place: DeepLink | null): void
  /** Puts text on the clipboard and says so. */
  copy(text: string): Promise<void>
  /** The absolute link to a place in this document; `null` where the document has no link of its own. */
  linkTo(place: DeepLink): string | null
}

/** One way of looking, which fills the element that it was made in. */
export interface View {
  /** Opens, scrolls to and marks a place; `false` when it is not there or not of this view. */
  reveal(place: DeepLink): Promise<boolean>
  /** Goes to the next match, or the one before. */
  find(wanted: { readonly text: string; readonly backwards: boolean }): Promise<FoundMatch | null>
  /** Whether long lines are broken, where the view has lines. */
  setWrap(wrap: boolean): void
  close(): void
}

/** Which match was gone to; `null` where counting all of them would take too long. */
export interface FoundMatch {
  readonly index: number | null
  readonly total: number | null
}

/** What each view's file exports. */
export type OpenView = (host: HTMLElement, parts: ViewParts) => View | Promise<View>
