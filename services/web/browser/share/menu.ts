import { element } from '../viewer/element.js'
import { pageButton } from './page-button.js'

export interface MenuItem {
  readonly label: string
  choose(): void
}

interface Menu {
  readonly button: HTMLButtonElement
  readonly list: HTMLElement
  readonly choices: readonly HTMLButtonElement[]
}

/** Opens the menu and focuses an item, counted from the end when negative. */
function open({ button, list, choices }: Menu, index: number): void {
  list.hidden = false
  button.ariaExpanded = 'true'
  list.classList.remove('to-the-left')
  const { right } = list.getBoundingClientRect()
  list.classList.toggle('to-the-left', right > document.documentElement.clientWidth)
  choices.at(index)?.focus()
}

function close({ button, list }: Menu): void {
  list.hidden = true
  button.ariaExpanded = 'false'
}

/** Handles a key on the item at this index. */
function keysAt(menu: Menu, index: number): Readonly<Record<string, () => void>> {
  const { button, choices } = menu
  const goTo = (other: number): void => choices.at(other % choices.length)?.focus()
  return {
    ArrowDown: () => goTo(index + 1),
    ArrowUp: () => goTo(index - 1),
    Home: () => goTo(0),
    End: () => goTo(-1),
    Escape: () => {
      close(menu)
      button.focus()
    },
  }
}

function whenPressed(target: HTMLElement, keys: Readonly<Record<string, () => void>>): void {
  target.addEventListener('keydown', (event) => {
    const act = keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
}

function choice(label: string, onPress: () => void): HTMLButtonElement {
  const made = pageButton('menu-item', label, onPress)
  made.role = 'menuitem'
  made.tabIndex = -1
  return made
}

/** A button that opens a menu, with the mouse or the usual keys. */
export function menuButton(id: string, label: string, items: readonly MenuItem[]): HTMLElement {
  const button = pageButton('button', label, () => (list.hidden ? open(menu, 0) : close(menu)))
  button.ariaHasPopup = 'menu'
  button.ariaExpanded = 'false'
  button.setAttribute('aria-controls', id)
  const choices = items.map(({ label, choose }) =>
    choice(label, () => {
      close(menu)
      button.focus()
      choose()
    }),
  )
  const list = element('div', 'menu', ...choices)
  list.id = id
  list.role = 'menu'
  list.ariaLabel = label
  list.hidden = true
  const menu = { button, list, choices }
  whenPressed(button, { ArrowDown: () => open(menu, 0), ArrowUp: () => open(menu, -1) })
  for (const [index, item] of choices.entries()) whenPressed(item, keysAt(menu, index))
  const whole = element('div', 'menu-around', button, list)
  whole.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && whole.contains(relatedTarget))) close(menu)
  })
  return whole
}
