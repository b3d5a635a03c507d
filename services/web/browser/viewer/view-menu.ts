import { text } from '../../texts/text.js'
import type { OpenedPart } from '../document/document-reader.js'
import type { Kind } from '../document/kinds/kind.js'
import type { DeepLink } from './deep-link.js'
import { element, pressButton } from './element.js'
import { kindName } from './kind-name.js'
import { linkToLine } from './line-links.js'
import type { MenuGroups, MenuItem } from './menu-item.js'
import { hasLines, sentView } from './suitable-views.js'
import type { View, ViewName } from './view.js'

/** What the menu of the views is made of. */
export interface ViewMenuParts {
  readonly part: OpenedPart
  /** The view that is open; `null` until there is one. */
  chosen(): ViewName | null
  /** The opened view; `null` while it is opening. */
  opened(): View | null
  isWrapped(): boolean
  setWrap(wrap: boolean): void
  choose(view: ViewName): void
  askForLine(): void
  /** Opens the part as another kind; without it there is no choice. */
  readonly onKind?: ((kind: Kind) => void) | undefined
  /** What the page adds. */
  readonly items?: (() => Promise<readonly MenuItem[]>) | undefined
}

function lineItems({ chosen, isWrapped, setWrap, askForLine }: ViewMenuParts): readonly MenuItem[] {
  if (!hasLines(chosen())) return []
  return [
    { label: text('tools.wrap'), key: 'W', isOn: isWrapped(), choose: () => setWrap(!isWrapped()) },
    { label: text('tools.goToLine'), key: 'L', choose: askForLine },
  ]
}

function treeItems({ opened }: ViewMenuParts): readonly MenuItem[] {
  const expand = opened()?.expandAll
  if (expand === undefined) return []
  return [
    { label: text('tree.expandAll'), key: 'E', choose: () => void expand(true).catch(() => undefined) },
    { label: text('tree.collapseAll'), choose: () => void expand(false).catch(() => undefined) },
  ]
}

function sentItem({ part, chosen, choose }: ViewMenuParts): readonly MenuItem[] {
  const sent = sentView(part)
  const view = chosen()
  if (sent === null || (view !== 'text' && view !== sent)) return []
  const isOn = view === sent
  return [{ label: text('view.source'), isOn, choose: () => choose(isOn ? 'text' : sent) }]
}

function kindItem({ part, onKind }: ViewMenuParts): readonly MenuItem[] {
  if (onKind === undefined || part.kinds.length < 2) return []
  const items = (): readonly MenuItem[] =>
    part.kinds.map((kind) => ({
      label: kindName(kind),
      isOn: kind === part.kind,
      choose: () => onKind(kind),
    }))
  return [{ label: text('parts.kind', { kind: kindName(part.kind) }), items }]
}

/** All that can be done with the open view, besides searching it. */
export async function viewChoices(parts: ViewMenuParts): Promise<MenuGroups> {
  return [
    [...sentItem(parts), ...lineItems(parts), ...treeItems(parts)],
    kindItem(parts),
    (await parts.items?.()) ?? [],
  ]
}

/** Asks for the number of a line, from 1. */
export function askForLine(view: ViewName | null, goTo: (place: DeepLink) => void): void {
  const field = element('input', {
    class: 'viewer-field viewer-line-field',
    attributes: { inputmode: 'numeric', autocomplete: 'off', 'aria-label': text('tools.line') },
  })
  const go = element('button', { class: 'viewer-button' }, text('tools.go'))
  const cancel = pressButton(text('loading.cancel'), () => dialog.close())
  const form = element('form', 'viewer-line-form', field, go, cancel)
  const dialog = element('dialog', 'viewer-line-dialog', form)
  dialog.ariaLabel = text('tools.goToLine')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const line = Number(field.value.replace(/[\s.,]/g, ''))
    dialog.close()
    if (Number.isInteger(line) && line > 0)
      goTo(linkToLine(view === 'raw' ? 'sent' : view === 'source' ? view : 'shown', line - 1))
  })
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
}
