import { openDocument } from '../document/open-document.js'
import type { DeepLink } from './deep-link.js'
import { loadShell } from './load-shell.js'
import type { MenuItem } from './menu-item.js'
import { partsViewer } from './parts-viewer.js'
import type { ShownPart, Viewer, ViewerSource } from './viewer.js'

/** Options of the viewer. */
export interface ViewerOptions {
  /** The view to open first, if the part has it. */
  readonly view?: string | null
  /** Whether the document is printed in place of its page; unless it is, the page prints as it is. */
  readonly isPrinted?: boolean
  /** Whether views open as they were chosen last for their kind, unless another is asked for. */
  readonly isRemembered?: boolean
  /** What the page adds to the menu of the views. */
  readonly items?: () => Promise<readonly MenuItem[]>
  /** Called with the place the reader chose, for the page's URL. */
  onLink?(place: DeepLink | null): void
  /** Called with each part that is opened. */
  onPart?(part: ShownPart): void
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
        isRemembered: options.isRemembered ?? false,
        items: options.items ?? (async () => []),
        onLink: (place) => options.onLink?.(place),
        onPart: (part) => options.onPart?.(part),
      }),
  })
}
