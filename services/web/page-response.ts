/** The response to a request for a page. */
export interface PageResponse {
  readonly status: number
  readonly body: Buffer
  /** These replace those that every response has. */
  readonly headers: Readonly<Record<string, string>>
}

/** For what may be different the next time. */
export const noStore = { 'Cache-Control': 'no-store' }
