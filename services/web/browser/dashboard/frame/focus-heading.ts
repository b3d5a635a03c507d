const closingMs = 100

/**
 * Focuses the page's heading when the focused element is gone for good, after the dialog above it has closed.
 */
export function focusHeading(): void {
  setTimeout(() => document.querySelector<HTMLElement>('#content h1')?.focus(), closingMs)
}
