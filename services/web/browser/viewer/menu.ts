import { text } from '../../texts/text.js'
import { element } from './element.js'
import type { MenuGroups } from './menu-item.js'

/**
 * Makes a button open a menu, with the mouse or the usual keys; returns the menu, which belongs beside the button. Its
 * choices are asked for whenever it opens; its code is loaded when someone comes near.
 * @param links what it offers when its code cannot be loaded.
 */
export function menuOf(
  button: HTMLButtonElement,
  groups: () => MenuGroups | Promise<MenuGroups>,
  links: readonly Node[] = [],
): HTMLElement {
  const list = element('div', '')
  list.popover = 'auto'
  button.ariaHasPopup = 'menu'
  button.ariaExpanded = 'false'
  let opening: Promise<(key: string) => boolean> | null = null
  let wasOpen = false
  const isOpen = (): boolean => list.matches(':popover-open')

  const load = () => Promise.all([import('./menu-list.js'), groups()])
  const open = (first: number): void => {
    opening = load().then(([{ openMenu }, now]) => openMenu({ button, list, groups: now }, first))
    opening
      .catch(() => {
        list.role = 'alert'
        list.showPopover()
        list.replaceChildren(text('document.broken'), ...links)
      })
      .finally(() => {
        opening = null
      })
  }
  button.addEventListener('pointerenter', () => void load().catch(() => undefined))
  button.addEventListener('keydown', (event) => {
    const { key } = event
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp'
    if (opening === null && !isArrow) return
    event.preventDefault()
    // Keys that come before the menu has opened are for the menu.
    if (opening === null) open(key === 'ArrowDown' ? 0 : -1)
    else opening.then((press) => press(key)).catch(() => undefined)
  })
  // Where buttons get no focus by the mouse, the menu has lost its own and is closed before the click.
  button.addEventListener('pointerdown', () => {
    wasOpen = isOpen()
  })
  button.addEventListener('click', ({ detail }) => {
    if (isOpen()) list.hidePopover()
    else if (detail === 0 || !wasOpen) open(0)
  })
  return list
}
