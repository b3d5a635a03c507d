import './viewer.css'
import './viewer-bar.css'
import './part-views.css'
import type { DocumentReader, OpenedDocument, Progress } from '../document/document-reader.js'
import type { DeepLink } from './deep-link.js'
import { scrollsWithPage } from './list/scroll-port.js'
import { failureNotice, loadingNotice } from './loading-notice.js'
import type { Viewer } from './viewer.js'
import type { ViewerShell } from './viewer-shell.js'

/** What is loaded into a page, and what shows it. */
export interface LoadedShell<Opened extends OpenedDocument> {
  open(onProgress: (progress: Progress) => void): DocumentReader<Opened>
  shellOf(reader: DocumentReader<Opened>, document: Opened): ViewerShell | Promise<ViewerShell>
  /** Called once the first view can be seen. */
  onShown?(shell: ViewerShell): void
}

/** Faster downloads show no progress. */
const quietMs = 150

/** Loads a document and opens its views in `host`. What is there already stays until the first view is ready. */
export function loadShell<Opened extends OpenedDocument>(
  host: HTMLElement,
  { open, shellOf, onShown }: LoadedShell<Opened>,
): Viewer {
  host.classList.add('viewer-host')
  let reader: DocumentReader<Opened> | null = null
  let viewer: ViewerShell | null = null
  let wanted: DeepLink | null = null
  const { promise: ready, resolve: announce } = Promise.withResolvers<ViewerShell>()

  const read = async (): Promise<ViewerShell> => {
    const loading = loadingNotice(() => reader?.close())
    const opening = open(loading.show)
    const timer = setTimeout(() => host.append(loading.element), quietMs)
    reader = opening
    try {
      return await shellOf(opening, await opening.opened)
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
    // Where the page scrolls, a place is elsewhere now that nothing is above it.
    if (wanted !== null && scrollsWithPage(opened.element)) await opened.goTo(wanted)
    onShown?.(opened)
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
    focus: () => viewer?.focus(),
    press: (key) => viewer?.press(key) ?? false,
    shown: () => viewer?.shown() ?? null,
    close() {
      viewer?.close()
      reader?.close()
      host.replaceChildren()
    },
  }
}
