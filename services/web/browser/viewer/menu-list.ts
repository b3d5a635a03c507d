import './menu.css'
import { element } from './element.js'
import type { MenuGroups, MenuItem } from './menu-item.js'

/** The distance from the button, and at least from the edges of the window, in pixels. */
const gap = 4
/** A menu that would be lower takes the whole height of the window. */
const heightMin = 160

/** Puts a menu below its button, or above if there is more room, and always inside the window. */
function place(list: HTMLElement, button: HTMLElement): void {
  const { clientWidth, clientHeight } = document.documentElement
  const { top, bottom, left } = button.getBoundingClientRect()
  const [above, below] = [top - 2 * gap, clientHeight - bottom - 2 * gap]
  list.style.maxHeight = ''
  const { offsetWidth, offsetHeight } = list
  const isBelow = offsetHeight <= below || below >= above
  const room = isBelow ? below : above
  const height = Math.min(offsetHeight, room)
  const isWhole = height < Math.min(offsetHeight, heightMin)
  list.style.maxHeight = `${isWhole ? clientHeight - 2 * gap : room}px`
  list.style.top = `${isWhole ? gap : isBelow ? bottom + gap : top - gap - height}px`
  list.style.left = `${Math.max(gap, Math.min(left, clientWidth - offsetWidth - gap))}px`
}

function roleOf({ isOn }: MenuItem, isSubmenu: boolean): string {
  if (isOn === undefined) return 'menuitem'
  return isSubmenu ? 'menuitemradio' : 'menuitemcheckbox'
}

function drawn(item: MenuItem, isSubmenu: boolean): HTMLElement {
  const { label, key, isOn, href, isDownload, items } = item
  const attributes = {
    role: roleOf(item, isSubmenu),
    tabindex: -1,
    'aria-checked': isOn === undefined ? null : String(isOn),
    'aria-haspopup': items === undefined ? null : 'menu',
    'aria-keyshortcuts': key?.replace('Ctrl', 'Control') ?? null,
  }
  const keys = key === undefined ? [] : [element('kbd', { attributes: { 'aria-hidden': 'true' } }, key)]
  const parts = { class: 'menu-item', attributes }
  if (href === undefined)
    return element('button', { ...parts, attributes: { ...attributes, type: 'button' } }, label, ...keys)
  const link = element('a', parts, label, ...keys)
  link.href = href
  if (isDownload === true) link.download = ''
  return link
}

/** What one menu is made of. */
interface MenuParts {
  readonly button: HTMLButtonElement
  readonly list: HTMLElement
  readonly groups: MenuGroups
}

function choicesOf(list: HTMLElement): HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('.menu-item')]
}

function focusAt(list: HTMLElement, index: number): void {
  const choices = choicesOf(list)
  choices.at(index % choices.length)?.focus()
}

/** Writes choices into the menu; those that took the place of others know where they came from. */
function fill(
  { list, button }: MenuParts,
  groups: MenuGroups,
  from: number | null,
  press: (item: MenuItem, index: number) => void,
): void {
  let index = -1
  const made = groups
    .filter((items) => items.length > 0)
    .map((items) =>
      items.map((item) => {
        index += 1
        const own = index
        const choice = drawn(item, from !== null)
        choice.addEventListener('click', () => press(item, own))
        return choice
      }),
    )
  // Or the focus would leave the menu with the choice that had it.
  list.focus({ preventScroll: true })
  list.replaceChildren(
    ...made.flatMap((group, at) => (at === 0 ? group : [element('hr', 'menu-line'), ...group])),
  )
  place(list, button)
}

/**
 * Opens a menu, with the focus on the choice at this index, counted from the end when negative. It lies above everything
 * else. Returns what handles a key in it.
 */
export function openMenu(parts: MenuParts, first: number): (key: string) => boolean {
  const { button, list, groups } = parts
  let parent: number | null = null
  const leave = (): void => {
    list.hidePopover()
    button.focus({ preventScroll: true })
  }
  const press = (item: MenuItem, index: number): void => {
    if (item.items === undefined) {
      leave()
      item.choose?.()
      return
    }
    const items = item.items()
    parent = index
    fill(parts, [items], parent, press)
    focusAt(
      list,
      Math.max(
        0,
        items.findIndex(({ isOn }) => isOn === true),
      ),
    )
  }
  const fillFirst = (index: number): void => {
    parent = null
    fill(parts, groups, null, press)
    focusAt(list, index)
  }
  const onKey = (key: string): boolean => {
    const choices = choicesOf(list)
    const index = choices.findIndex((choice) => choice.matches(':focus'))
    if (index < 0) return false
    if (key === 'ArrowDown') focusAt(list, index + 1)
    else if (key === 'ArrowUp') focusAt(list, index - 1)
    else if (key === 'Home') focusAt(list, 0)
    else if (key === 'End') focusAt(list, -1)
    else if (key === 'Enter') choices[index]?.click()
    else if (key === 'Escape') leave()
    else if (key === 'ArrowLeft' && parent !== null) fillFirst(parent)
    else if (key === 'ArrowRight' && choices[index]?.ariaHasPopup === 'menu') choices[index]?.click()
    else return false
    return true
  }
  const close = (): void => list.hidePopover()
  const leaveOut = ({ relatedTarget }: FocusEvent): void => {
    if (!(relatedTarget instanceof Node && (list.contains(relatedTarget) || relatedTarget === button)))
      close()
  }
  button.ariaExpanded = 'true'
  // Until now it was one that closes by itself, for what is said when this code cannot be loaded.
  list.popover = 'manual'
  list.className = 'menu'
  list.role = 'menu'
  list.ariaLabel = button.ariaLabel ?? button.textContent
  list.tabIndex = -1
  list.showPopover()
  fillFirst(first)
  addEventListener('scroll', close)
  list.addEventListener('focusout', leaveOut)
  const onClosed = (): void => {
    button.ariaExpanded = 'false'
    removeEventListener('scroll', close)
    list.removeEventListener('focusout', leaveOut)
  }
  list.addEventListener('beforetoggle', onClosed, { once: true })
  list.onkeydown = (event) => {
    if (onKey(event.key)) event.preventDefault()
    // What a letter does elsewhere on the page, it does not do in a menu.
    event.stopPropagation()
  }
  return onKey
}
