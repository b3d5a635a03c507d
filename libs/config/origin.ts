/**
 * An origin exactly as a browser names it.
 * @throws Error whose message completes "NAME must be …".
 */
export function origin(item: string): string {
  if (!URL.canParse(item) || new URL(item).origin !== item) {
    throw new Error('a comma-separated list of origins such as https://app.example')
  }
  return item
}
