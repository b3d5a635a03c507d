const closingMs = 100

/** Gives the focus to the heading of the page, where what had it is gone for good; once the dialog before it has closed. */
export function focusHeading(): void {
  setTimeout(() => document.querySelector<HTMLElement>('#content h1')?.focus(), closingMs)
}
