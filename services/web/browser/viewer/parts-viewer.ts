import type { DocumentReader, OpenedDocument, PartInfo } from '../document/document-reader.js'
import type { Kind } from '../document/kinds/kind.js'
import type { CsvChoice } from '../document/table/csv-table.js'
import { contentHeight } from './content-height.js'
import { csvBar } from './csv-bar.js'
import { type DeepLink, formatDeepLink } from './deep-link.js'
import { element } from './element.js'
import { lackNotice } from './lack-notice.js'
import { failureNotice } from './loading-notice.js'
import type { MenuItem } from './menu-item.js'
import { partTabs } from './part-tabs.js'
import type { ShownPart } from './viewer.js'
import { type ViewerShell, viewerShell } from './viewer-shell.js'

/** The document to show, and the callback for the chosen place. */
export interface PartsViewerParts {
  readonly reader: DocumentReader
  readonly document: OpenedDocument
  /** The page that links point to, without a fragment; `null` for a document without links. */
  readonly pageUrl: string | null
  /** The view to open first, if a part has it. */
  readonly view: string | null
  /** Whether the document is printed in place of its page. */
  readonly isPrinted: boolean
  /** Whether views open as they were chosen last for their kind. */
  readonly isRemembered: boolean
  /** What the page adds to the menu. */
  readonly items: () => Promise<readonly MenuItem[]>
  onLink(place: DeepLink | null): void
  /** Called with each part that is opened. */
  onPart(part: ShownPart): void
}

function leadsInto({ pointers }: PartInfo, pointer: string): boolean {
  return pointers.some((own) => pointer === own || pointer.startsWith(`${own}/`))
}

/** The part that contains a place; `null` if none or any does. */
function partOfLink(parts: readonly PartInfo[], place: DeepLink): number | null {
  const pointer = place.kind === 'pointer' ? place.pointer : place.part
  if (pointer === undefined) return null
  const index = parts.findIndex((part) => leadsInto(part, pointer))
  return index < 0 ? null : index
}

/** The parts of a loaded document: one is open at a time, with tabs for the others. */
export function partsViewer({
  reader,
  document,
  pageUrl,
  view,
  isPrinted,
  isRemembered,
  items,
  onLink,
  onPart,
}: PartsViewerParts): ViewerShell {
  const { parts, firstPart } = document
  const panel = element('div', 'viewer-part')
  const choose = (index: number, kind: Kind | null = null, csv?: CsvChoice): void => {
    show(index, kind, csv).catch(() => undefined)
  }
  const tabs =
    parts.length < 2
      ? null
      : partTabs(
          parts.map(({ name }) => name ?? ''),
          panel,
          (index) => {
            if (open?.index === index) return
            onLink({ kind: 'pointer', pointer: parts[index]?.pointers[0] ?? '' })
            choose(index)
          },
        )
  let open: { readonly index: number; readonly viewer: ViewerShell; close(): void } | null = null
  let asked = 0

  /** Adds the part to the place of a line or a cell, if there are several parts. */
  const linkIn = (index: number, place: DeepLink): DeepLink => {
    const part = parts[index]?.pointers[0]
    if (tabs === null || part === undefined || place.kind === 'pointer') return place
    return place.kind === 'line' && place.form === 'sent' ? place : { ...place, part }
  }

  /** Replaces the open part; `false` if another one was requested meanwhile. */
  const openPart = async (index: number, kind: Kind | null, csv?: CsvChoice): Promise<ViewerShell | null> => {
    asked += 1
    const own = asked
    tabs?.select(index)
    panel.setAttribute('aria-busy', 'true')
    try {
      const part = await reader.openPart(index, kind, csv)
      if (own !== asked) {
        part.close()
        return null
      }
      const viewer = viewerShell({
        reader: part,
        asked: view,
        printedUrl: isPrinted ? (pageUrl ?? `${location.origin}${location.pathname}`) : null,
        linkTo: (place) => (pageUrl === null ? null : `${pageUrl}#${formatDeepLink(linkIn(index, place))}`),
        onLink: (place) => onLink(place === null ? null : linkIn(index, place)),
        onKind: (wanted) => choose(index, wanted),
        items,
        isRemembered,
      })
      const height = await contentHeight(part, part.part)
      if (height !== null) viewer.element.style.setProperty('--content-height', `${height}rem`)
      open?.close()
      const { csv: decision } = part.part
      const notice =
        decision === null
          ? lackNotice(part, kind)
          : csvBar(decision, (wanted) => choose(index, 'csv', wanted))
      const said = notice === null ? [] : [notice]
      // One quiet line below the data, unless it could not be read.
      if (decision?.refusal === null) panel.replaceChildren(viewer.element, ...said)
      else panel.replaceChildren(...said, viewer.element)
      const [pointer, ...others] = part.part.pointers
      onPart({ pointer: others.length > 0 ? null : pointer, partCount: parts.length })
      open = {
        index,
        viewer,
        close() {
          viewer.close()
          part.close()
        },
      }
      return viewer
    } finally {
      if (own === asked) panel.removeAttribute('aria-busy')
    }
  }

  const show = async (index: number, kind: Kind | null, csv?: CsvChoice): Promise<void> => {
    const { activeElement } = globalThis.document
    const hadFocus = panel.contains(activeElement)
    const field = hadFocus ? (activeElement?.getAttribute('name') ?? null) : null
    try {
      const viewer = await openPart(index, kind, csv)
      await viewer?.openFirst()
      const again = field === null ? '.viewer-more' : `select[name="${field}"]`
      if (hadFocus) panel.querySelector<HTMLElement>(again)?.focus()
    } catch (error) {
      panel.replaceChildren(failureNotice(error, () => choose(index, kind, csv)))
    }
  }

  const goTo = async (place: DeepLink): Promise<boolean> => {
    const index = partOfLink(parts, place) ?? open?.index ?? firstPart
    const viewer = open?.index === index ? open.viewer : await openPart(index, null)
    const isWhole =
      place.kind === 'pointer' &&
      parts[index]?.name !== null &&
      parts[index]?.pointers.includes(place.pointer)
    if (isWhole !== true) return (await viewer?.goTo(place)) ?? false
    await viewer?.openFirst()
    return true
  }

  return {
    element: element('div', 'viewer-all', ...(tabs === null ? [] : [tabs.element]), panel),
    openFirst: async () => {
      const viewer = await openPart(firstPart, null)
      await viewer?.openFirst()
    },
    goTo,
    find: async (wanted) => (await open?.viewer.find(wanted)) ?? null,
    focus: () => open?.viewer.focus(),
    press: (key) => open?.viewer.press(key) ?? false,
    shown: () => open?.viewer.shown() ?? null,
    close: () => open?.close(),
  }
}
