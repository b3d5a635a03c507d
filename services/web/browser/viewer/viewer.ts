import type { DocumentSource } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'

/** A document to be looked at, and where it can be linked to. */
export interface ViewerSource extends DocumentSource {
  /** The page that a link to a place leads to, without a fragment; `null` for a document without a link. */
  readonly pageUrl: string | null
}

/** A viewer at work. */
export interface Viewer {
  /** Opens the view that the place is of, and goes there; `false` when it is not in the document. */
  goTo(place: DeepLink): Promise<boolean>
  close(): void
}
