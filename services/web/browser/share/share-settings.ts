/** What the server tells the script of a share page. */
export interface ShareSettings {
  readonly id: string
  readonly tool: string
  readonly title: string
  readonly size_bytes: number
  /** Until the share expires, as of when the page was made; `null` for never. */
  readonly time_left_ms: number | null
  /** Where the JSON text is. */
  readonly raw_path: string
  /** Where the single value is that the data consists of; `null` for other data. */
  readonly text_path: string | null
  /** What a file ends in that holds the single value, or else the JSON text. */
  readonly extension: string
}

/** What the server has written into the element. */
export function readShareSettings(host: HTMLElement): ShareSettings {
  return JSON.parse(host.dataset.share ?? '')
}
