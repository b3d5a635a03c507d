import type { DocumentSource } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'

/** A document to view, and where links to it point. */
export interface ViewerSource extends DocumentSource {
  /** The page that links point to, without a fragment; `null` for a document without links. */
  readonly pageUrl: string | null
}

/** A running viewer. */
export interface Viewer {
  /** Opens the view for a place and goes there; `false` if it is not in the document. */
  goTo(place: DeepLink): Promise<boolean>
  close(): void
}
