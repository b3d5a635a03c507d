import { type TextName, text } from '../../texts/text.js'
import type { PartReader, RowArrangement } from '../document/document-reader.js'
import { copyToClipboard } from './clipboard.js'
import type { DeepLink } from './deep-link.js'
import { element } from './element.js'
import { linkBar } from './link-bar.js'
import { openPaper } from './paper.js'
import { pressButton } from './press-button.js'
import { searchField } from './search-field.js'
import { firstView, suitableViews, viewsOfLink } from './suitable-views.js'
import { textTools } from './text-tools.js'
import type { FoundMatch, View, ViewName, ViewParts, ViewSearch } from './view.js'
import { viewOpener } from './view-opener.js'
import { viewTabs } from './view-tabs.js'

/** The part to show, and the callback for the chosen place. */
export interface ViewerShellParts {
  readonly reader: PartReader
  /** The view to open first, if the part has it. */
  readonly asked: string | null
  /** The absolute link to a place; `null` for a document without links. */
  linkTo(place: DeepLink): string | null
  onLink(place: DeepLink | null): void
  /** The tools of the part, in addition to those of its views. */
  partTools(say: (message: string) => void): HTMLElement
  /** The views of the part if they don't follow from its kind; unless another is asked for, the first one opens. */
  readonly views?: readonly ViewName[]
  /** The address of the page if what is printed of it is the document alone. */
  readonly printedUrl?: string | null
  /** Called with each view that is chosen. */
  readonly onView?: (view: ViewName) => void
  /** The names of views where they mean something of their own here. */
  readonly labels?: Partial<Record<ViewName, TextName>>
}

/** The views of an open part. */
export interface ViewerShell {
  readonly element: HTMLElement
  openFirst(): Promise<void>
  goTo(place: DeepLink): Promise<boolean>
  /** Searches the view that is open. */
  find(wanted: ViewSearch): Promise<FoundMatch | null>
  close(): void
}

/** Views are created when first chosen, and kept. */
export function viewerShell(shellParts: ViewerShellParts): ViewerShell {
  const { reader, asked, linkTo, onLink, partTools } = shellParts
  const { part } = reader
  const suitable = shellParts.views ?? suitableViews(part)
  const first =
    shellParts.views?.find((view) => view === asked) ?? shellParts.views?.[0] ?? firstView(part, asked)
  const views = new Map<ViewName, Promise<View>>()
  let chosen: ViewName | null = null
  let wrap = false
  const paper = shellParts.printedUrl == null ? null : openPaper(reader, shellParts.printedUrl)
  let rows: RowArrangement | null = null

  const copy = async (copied: string): Promise<void> =>
    bar.say(text((await copyToClipboard(copied)) ? 'place.copied' : 'place.notCopied'))
  const bar = linkBar({ copy, linkTo })
  const parts: ViewParts = {
    reader,
    part,
    copy,
    linkTo,
    onLink(place) {
      bar.show(place)
      onLink(place)
    },
    onRows(arrangement) {
      rows = arrangement
      search.noteFilter(rows.filter)
      paper?.prepare('table', tabs.panelOf('table'), rows)
    },
  }

  const open = async (view: ViewName): Promise<View> => {
    const panel = tabs.panelOf(view)
    panel.setAttribute('aria-busy', 'true')
    try {
      const opener = await viewOpener(view)
      panel.replaceChildren()
      const opened = await opener(panel, parts)
      opened.setWrap(wrap)
      return opened
    } catch (error) {
      views.delete(view)
      const retry = pressButton(text('loading.retry'), () => onChoose(view))
      const notice = element(
        'div',
        'viewer-notice',
        element('p', 'viewer-reason', text('view.notOpened')),
        retry,
      )
      notice.setAttribute('role', 'alert')
      panel.replaceChildren(notice)
      throw error
    } finally {
      panel.removeAttribute('aria-busy')
    }
  }
  const select = (view: ViewName): Promise<View> => {
    const isOther = view !== chosen
    chosen = view
    shellParts.onView?.(view)
    tabs.select(view)
    tools.suit(view)
    const opened = views.get(view) ?? open(view)
    views.set(view, opened)
    if (isOther) search.suit(view)
    opened.then(
      () => {
        if (view === chosen) paper?.prepare(view, tabs.panelOf(view), rows)
      },
      () => undefined,
    )
    return opened
  }
  /** The panel shows the error if a view cannot be opened. */
  const choose = (view: ViewName): Promise<View | null> => select(view).catch(() => null)
  const onChoose = (view: ViewName): void => {
    choose(view).catch(() => undefined)
  }
  const goTo = async (place: DeepLink): Promise<boolean> => {
    const before = chosen
    for (const name of viewsOfLink(place, part, chosen ?? (first === asked ? first : null))) {
      const view = await choose(name)
      if ((await view?.reveal(place)) !== true) continue
      bar.show(place)
      return true
    }
    await choose(before ?? first)
    bar.say(text('place.missing'))
    return false
  }

  const goToHere = async (place: DeepLink): Promise<void> => {
    const view = chosen === null ? null : await choose(chosen)
    if ((await view?.reveal(place)) === true) parts.onLink(place)
    else bar.say(text('place.missing'))
  }

  const tabs = viewTabs(suitable, onChoose, shellParts.labels)
  const tools = textTools({
    setWrap(wanted) {
      wrap = wanted
      for (const view of views.values())
        view.then(
          (opened) => opened.setWrap(wrap),
          () => undefined,
        )
    },
    goToLine(line) {
      goToHere({
        kind: 'line',
        line,
        ...(chosen === 'raw' ? { form: 'sent' } : chosen === 'source' ? { form: 'source' } : {}),
      }).catch(() => undefined)
    },
  })
  const openView = async (): Promise<View | undefined> =>
    chosen === null ? undefined : await views.get(chosen)
  const find = async (wanted: ViewSearch): Promise<FoundMatch | null> =>
    (await openView())?.find(wanted) ?? null
  const search = searchField({
    sizeBytes: part.sizeBytes,
    find,
    filter: async (wanted) => (await openView())?.filter?.(wanted),
  })
  const toolbar = element(
    'div',
    'viewer-bar',
    tabs.tabList,
    search.element,
    tools.element,
    partTools(bar.say),
  )
  return {
    element: element('div', 'viewer', toolbar, ...tabs.panels, bar.element),
    openFirst: async () => {
      await choose(first)
    },
    goTo,
    find,
    close() {
      for (const view of views.values())
        view.then(
          (opened) => opened.close(),
          () => undefined,
        )
      search.close()
      paper?.close()
    },
  }
}
