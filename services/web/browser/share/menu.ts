import { element } from '../element.js'

/** What can be chosen in a menu. */
export interface MenuItem {
  readonly label: string
  choose(): void
}

/** A list of choices below a button. */
interface Menu {
  readonly button: HTMLButtonElement
  readonly list: HTMLElement
  readonly choices: readonly HTMLButtonElement[]
}

/** Opens the menu and goes to a choice, counted from its end when negative. */
function open({ button, list, choices }: Menu, index: number): void {
  list.hidden = false
  button.setAttribute('aria-expanded', 'true')
  list.classList.remove('to-the-left')
  const { right } = list.getBoundingClientRect()
  list.classList.toggle('to-the-left', right > document.documentElement.clientWidth)
  choices.at(index)?.focus()
}

function close({ button, list }: Menu): void {
  list.hidden = true
  button.setAttribute('aria-expanded', 'false')
}

/** What the keys do at the choice with this index. */
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

function wire(menu: Menu, items: readonly MenuItem[]): void {
  const { button, list, choices } = menu
  button.addEventListener('click', () => (list.hidden ? open(menu, 0) : close(menu)))
  whenPressed(button, { ArrowDown: () => open(menu, 0), ArrowUp: () => open(menu, -1) })
  for (const [index, choice] of choices.entries()) {
    whenPressed(choice, keysAt(menu, index))
    choice.addEventListener('click', () => {
      close(menu)
      button.focus()
      items[index]?.choose()
    })
  }
}

/** A button that opens a menu, by mouse and by the keys that menus have. */
export function menuButton(id: string, label: string, items: readonly MenuItem[]): HTMLElement {
  const state = { 'aria-haspopup': 'menu', 'aria-expanded': 'false', 'aria-controls': id }
  const button = element('button', { class: 'button', type: 'button', ...state }, label)
  const choices = items.map((item) =>
    element('button', { type: 'button', role: 'menuitem', tabindex: '-1' }, item.label),
  )
  const list = element(
    'div',
    { id, class: 'menu', role: 'menu', 'aria-label': label, hidden: '' },
    ...choices,
  )
  wire({ button, list, choices }, items)
  const whole = element('div', { class: 'menu-around' }, button, list)
  whole.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && whole.contains(relatedTarget))) close({ button, list, choices })
  })
  return whole
}
