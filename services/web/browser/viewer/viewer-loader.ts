import { openDocument } from '../document/open-document.js'
import type { DeepLink } from './deep-link.js'
import { loadShell } from './load-shell.js'
import { partsViewer } from './parts-viewer.js'
import type { Viewer, ViewerSource } from './viewer.js'

/** Options of the viewer. */
export interface ViewerOptions {
  /** The view to open first, if the part has it. */
  readonly view?: string | null
  /** Whether the document is printed in place of its page; unless it is, the page prints as it is. */
  readonly isPrinted?: boolean
  /** Called with the place the reader chose, for the page's URL. */
  onLink?(place: DeepLink | null): void
}

/** Fetches a document and opens its views in `host`. Existing content stays until the first view is ready. */
export function loadViewer(host: HTMLElement, source: ViewerSource, options: ViewerOptions = {}): Viewer {
  return loadShell(host, {
    open: (onProgress) => openDocument(source, onProgress),
    shellOf: (reader, document) =>
      partsViewer({
        reader,
        document,
        pageUrl: source.pageUrl,
        view: options.view ?? null,
        isPrinted: options.isPrinted ?? false,
        onLink: (place) => options.onLink?.(place),
      }),
  })
}
