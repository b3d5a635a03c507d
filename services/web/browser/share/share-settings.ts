/** What the server passes to the script of a share page. */
export interface ShareSettings {
  readonly id: string
  /** Only with a grant, which programs elsewhere don't have. */
  readonly gated?: true
  readonly tool: string
  readonly title: string
  readonly size_bytes: number
  /** Milliseconds until the share expires, as of rendering; `null` for never. */
  readonly time_left_ms: number | null
  /** The URL of the JSON text. */
  readonly raw_path: string
  /** The URL of the data's single value; `null` for other data. */
  readonly text_path: string | null
  /** The file extension of the single value, or else of the JSON text. */
  readonly extension: string
}

/** Reads the settings from the element. */
export function readShareSettings(host: HTMLElement): ShareSettings {
  return JSON.parse(host.dataset.share ?? '')
}
