import './viewer.css'
import type { DocumentReader } from '../document/document-reader.js'
import { openDocument } from '../document/open-document.js'
import type { DeepLink } from './deep-link.js'
import { failureNotice, loadingNotice } from './loading-notice.js'
import { partsViewer } from './parts-viewer.js'
import type { Viewer, ViewerSource } from './viewer.js'
import type { ViewerShell } from './viewer-shell.js'

/** Options of the viewer. */
export interface ViewerOptions {
  /** The view to open first, if the part has it. */
  readonly view?: string | null
  /** Called with the place the reader chose, for the page's URL. */
  onPlace?(place: DeepLink | null): void
}

/** Faster downloads show no progress. */
const quietMs = 150

/** Fetches a document and opens its views in `host`. Existing content stays until the first view is ready. */
export function loadViewer(host: HTMLElement, source: ViewerSource, options: ViewerOptions = {}): Viewer {
  let reader: DocumentReader | null = null
  let viewer: ViewerShell | null = null
  let wanted: DeepLink | null = null
  const { promise: ready, resolve: announce } = Promise.withResolvers<ViewerShell>()

  const read = async (): Promise<ViewerShell> => {
    const loading = loadingNotice(() => reader?.close())
    const opening = openDocument(source, loading.show)
    const timer = setTimeout(() => host.prepend(loading.element), quietMs)
    reader = opening
    try {
      const document = await opening.opened
      const onPlace = (place: DeepLink | null): void => options.onPlace?.(place)
      return partsViewer({
        reader: opening,
        document,
        pageUrl: source.pageUrl,
        view: options.view ?? null,
        onPlace,
      })
    } finally {
      clearTimeout(timer)
      loading.element.remove()
    }
  }

  /** The new views replace the page's content only when the first of them is ready. */
  const show = async (opened: ViewerShell): Promise<void> => {
    const before = [...host.children]
    opened.element.classList.add('viewer-behind')
    host.append(opened.element)
    if (wanted === null) await opened.openFirst()
    else await opened.goTo(wanted)
    for (const old of before) old.remove()
    opened.element.classList.remove('viewer-behind')
  }

  const load = async (): Promise<void> => {
    try {
      viewer = await read()
      await show(viewer)
      announce(viewer)
    } catch (error) {
      const notice = failureNotice(error, () => {
        notice.remove()
        begin()
      })
      host.prepend(notice)
    }
  }
  const begin = (): void => {
    load().catch(() => undefined)
  }
  begin()

  return {
    async goTo(place) {
      wanted = place
      const opened = await ready
      return opened.goTo(place)
    },
    close() {
      viewer?.close()
      reader?.close()
      host.replaceChildren()
    },
  }
}
