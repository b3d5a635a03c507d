import { type TextName, text } from '../../texts/text.js'
import type { OpenedPart, PartReader, RowArrangement } from '../document/document-reader.js'
import type { Kind } from '../document/kinds/kind.js'
import { copyToClipboard } from './clipboard.js'
import type { DeepLink } from './deep-link.js'
import { element, pressButton } from './element.js'
import { type LinkBar, linkBar } from './link-bar.js'
import { menuOf } from './menu.js'
import type { MenuGroups, MenuItem } from './menu-item.js'
import { openPaper } from './paper.js'
import { rememberChoice, rememberedChoice } from './remembered.js'
import { type SearchField, searchField } from './search-field.js'
import { firstView, hasLines, sentView, suitableViews, tabOfView, viewsOfLink } from './suitable-views.js'
import { toggleButton } from './toggle-button.js'
import type { FoundMatch, View, ViewName, ViewParts, ViewSearch } from './view.js'
import type { ViewMenuParts } from './view-menu.js'
import { viewOpener } from './view-opener.js'
import { type ViewTabs, viewTabs } from './view-tabs.js'
import type { ShownText } from './viewer.js'

/** The part to show, and the callback for the chosen place. */
export interface ViewerShellParts {
  readonly reader: PartReader
  /** The view to open first, if the part has it. */
  readonly asked: string | null
  /** The absolute link to a place; `null` for a document without links. */
  linkTo(place: DeepLink): string | null
  onLink(place: DeepLink | null): void
  /** The tools of the part, in addition to those of its views. */
  partTools?(): HTMLElement
  /** Opens the part as another kind. */
  readonly onKind?: (kind: Kind) => void
  /** What the page adds to the menu. */
  readonly items?: () => Promise<readonly MenuItem[]>
  /** Whether the view and the wrapping of lines are those that were chosen last for this kind. */
  readonly isRemembered?: boolean
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
  /** What is open of a text, as it is shown unless another form is asked for; `null` for what has no text. */
  shown(): ShownText | null
  /** Goes to the data itself. */
  focus(): void
  /** Does what a key stands for; `false` if it stands for nothing. */
  press(key: string): boolean
  close(): void
}

/** The tabs of the views; those that a shell is given have one each. */
function shellTabs(
  { reader, views, labels }: ViewerShellParts,
  suitable: readonly ViewName[],
  onChoose: (view: ViewName) => void,
): ViewTabs {
  const tabFor = (view: ViewName): ViewName | null =>
    views === undefined ? tabOfView(view, reader.part) : view
  const tabs = viewTabs(suitable, onChoose, labels, tabFor)
  tabs.tabList.hidden = tabs.tabbed.length < 2
  return tabs
}

/** A button with the menu of what else can be done, whose code is loaded when it is needed. */
function viewMenu(parts: ViewMenuParts): HTMLElement {
  const more = pressButton(text('view.more'), () => undefined, '⋯')
  more.classList.add('viewer-more')
  const choices = async (): Promise<MenuGroups> => (await import('./view-menu.js')).viewChoices(parts)
  return element('span', 'viewer-menu', more, menuOf(more, choices))
}

/** Does what a key stands for, besides what the menu does. */
function pressedKey(
  key: string,
  { chosen, opened, isWrapped, setWrap, askForLine, choose }: ViewMenuParts,
  search: SearchField,
  bar: LinkBar,
  tabs: ViewTabs,
): boolean {
  const view = tabs.tabbed[Number(key) - 1]
  const isText = hasLines(chosen())
  const expandAll = opened()?.expandAll
  if (key === '/') return search.focus()
  if (key === 'y') bar.copyLink()
  else if (view !== undefined) choose(view)
  else if (key === 'w' && isText) setWrap(!isWrapped())
  else if ((key === 'l' || key === 'Ctrl+G') && isText) askForLine()
  else if (key === 'e' && expandAll !== undefined) void expandAll(true).catch(() => undefined)
  else return false
  return true
}

/** Says that a view could not be opened, and opens it again. */
function openFailure(retry: () => void): HTMLElement {
  const reason = element('p', 'viewer-reason', text('view.notOpened'))
  const notice = element('div', 'viewer-notice', reason, pressButton(text('loading.retry'), retry))
  notice.setAttribute('role', 'alert')
  return notice
}

/** The view to begin with: what is asked for, else what suits the part. */
function beginningOf(
  views: readonly ViewName[] | undefined,
  part: OpenedPart,
  asked: string | null,
): ViewName {
  return views?.find((view) => view === asked) ?? views?.[0] ?? firstView(part, asked)
}

/** Views are created when first chosen, and kept. */
export function viewerShell(shellParts: ViewerShellParts): ViewerShell {
  const { reader, linkTo, onLink, isRemembered = false } = shellParts
  const { part } = reader
  const remembered = isRemembered ? rememberedChoice(part.kind) : {}
  const suitable = shellParts.views ?? suitableViews(part)
  const asked = shellParts.asked ?? remembered.view ?? null
  const first = beginningOf(shellParts.views, part, asked)
  const views = new Map<ViewName, Promise<View>>()
  let chosen: ViewName | null = null
  let wrap = remembered.wrap === true
  let opened: View | null = null
  let hasLinked = false
  const paper = shellParts.printedUrl == null ? null : openPaper(reader, shellParts.printedUrl)
  let rows: RowArrangement | null = null

  const copy = async (copied: string): Promise<void> =>
    bar.say(text((await copyToClipboard(copied)) ? 'place.copied' : 'place.notCopied'))
  const forViews = (act: (view: View) => void): void => {
    for (const view of views.values()) view.then(act, () => undefined)
  }
  const focus = (): void => {
    const panel = chosen === null ? null : tabs.panelOf(chosen)
    panel?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }
  const clear = (): void => {
    forViews((view) => view.unmark?.())
    parts.onLink(null)
    focus()
  }
  const bar = linkBar({ copy, linkTo, clear })
  const parts: ViewParts = {
    reader,
    part,
    copy,
    linkTo,
    onLink(place, value) {
      hasLinked = true
      bar.show(place, value)
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
      const made = await opener(panel, parts)
      made.setWrap?.(wrap)
      return made
    } catch (error) {
      views.delete(view)
      panel.replaceChildren(openFailure(() => onChoose(view)))
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
    sent.element.hidden = view !== 'text' && view !== sentName
    sent.set(view === sentName)
    const opening = views.get(view) ?? open(view)
    views.set(view, opening)
    if (isOther) {
      opened = null
      search.suit(view)
    }
    opening.then(
      (made) => {
        if (view !== chosen) return
        opened = made
        paper?.prepare(view, tabs.panelOf(view), rows)
      },
      () => undefined,
    )
    return opening
  }
  /** The panel shows the error if a view cannot be opened. */
  const choose = (view: ViewName): Promise<View | null> => select(view).catch(() => null)
  const onChoose = (view: ViewName): void => {
    if (isRemembered && view !== 'raw' && view !== 'source') rememberChoice(part.kind, { view })
    choose(view).catch(() => undefined)
  }
  const goTo = async (place: DeepLink): Promise<boolean> => {
    const before = chosen
    for (const name of viewsOfLink(place, part, chosen ?? (first === asked ? first : null))) {
      const view = await choose(name)
      hasLinked = false
      if ((await view?.reveal?.(place)) !== true) continue
      if (!hasLinked) bar.show(place)
      return true
    }
    await choose(before ?? first)
    bar.say(text('place.missing'))
    return false
  }

  const askForLine = (): void => {
    import('./view-menu.js')
      .then((menu) => menu.askForLine(chosen, (place) => void goTo(place).catch(() => undefined)))
      .catch(() => undefined)
  }
  const setWrap = (wanted: boolean): void => {
    wrap = wanted
    if (isRemembered) rememberChoice(part.kind, { wrap })
    forViews((view) => view.setWrap?.(wrap))
  }

  const sentName = shellParts.views === undefined ? sentView(part) : null
  const tabs = shellTabs(shellParts, suitable, onChoose)
  const sent = toggleButton(text('view.source'), (isOn) =>
    onChoose(isOn && sentName !== null ? sentName : 'text'),
  )
  sent.element.classList.add('viewer-sent')
  const state = { chosen: () => chosen, opened: () => opened, isWrapped: () => wrap }
  const { onKind, items } = shellParts
  const menuParts: ViewMenuParts = { part, ...state, setWrap, choose: onChoose, askForLine, onKind, items }
  const openView = async (): Promise<View | undefined> =>
    chosen === null ? undefined : await views.get(chosen)
  const find = async (wanted: ViewSearch): Promise<FoundMatch | null> =>
    (await openView())?.find?.(wanted) ?? null
  const search = searchField({
    sizeBytes: part.sizeBytes,
    find,
    filter: async (wanted) => (await openView())?.filter?.(wanted),
  })
  const tools = shellParts.partTools?.() ?? ''
  const inBar = [tabs.tabList, sent.element, search.element, tools, viewMenu(menuParts)]
  const toolbar = element('div', 'viewer-bar', ...inBar)
  return {
    element: element('div', 'viewer', toolbar, ...tabs.panels, bar.element),
    openFirst: async () => {
      await choose(first)
    },
    goTo,
    find,
    shown() {
      if (part.kind === 'diff') return null
      const form = chosen === 'raw' ? 'sent' : chosen === 'source' || !part.isFormatted ? 'source' : 'shown'
      return { part, text: (wanted = form) => reader.wholeText(wanted) }
    },
    focus,
    press: (key) => pressedKey(key, menuParts, search, bar, tabs),
    close() {
      forViews((view) => view.close())
      search.close()
      paper?.close()
    },
  }
}
