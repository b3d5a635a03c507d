/** Gives the focus to the heading of the page, where what had it is gone for good. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('#content h1')?.focus()
}
