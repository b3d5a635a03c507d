import type { DocumentSource, OpenedPart, TextForm } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'

/** A document to view, and where links to it point. */
export interface ViewerSource extends DocumentSource {
  /** The page that links point to, without a fragment; `null` for a document without links. */
  readonly pageUrl: string | null
}

/** What is open of a document. */
export interface ShownText {
  readonly part: OpenedPart
  /** All of its text, as it is shown unless another form is asked for. */
  text(form?: TextForm): Promise<string>
}

/** A part of a document that was opened. */
export interface ShownPart {
  /** `null` for two members that are compared, and for all of it. */
  readonly pointer: string | null
  readonly partCount: number
}

/** A running viewer. */
export interface Viewer {
  /** Opens the view for a place and goes there; `false` if it is not in the document. */
  goTo(place: DeepLink): Promise<boolean>
  /** What is shown; `null` until there is a text to show. */
  shown(): ShownText | null
  /** Goes to the data itself, past its tools. */
  focus(): void
  /** Does what a key stands for; `false` if it stands for nothing. */
  press(key: string): boolean
  close(): void
}
