/** What a request for a page gets. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
  /** These replace those that every answer has. */
  readonly headers: Readonly<Record<string, string>>
}

/** For what may be different the next time. */
export const noStore = { 'Cache-Control': 'no-store' }
