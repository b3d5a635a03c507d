import { readFile } from 'node:fs/promises'
import type { Html } from '#libs/html/html.js'

/** A heading within a guide. */
export interface GuideHeading {
  /** Its anchor, the same as on GitHub. */
  readonly id: string
  readonly text: string
  readonly depth: number
}

/** A page of `docs/`, rendered by the build (`browser/build/render-guides.ts`). */
export interface Guide {
  /** Of its file and in its URL, such as `using-the-api`. */
  readonly name: string
  /** The heading under which it is listed. */
  readonly group: string
  readonly title: string
  readonly summary: string
  readonly headings: readonly GuideHeading[]
  /** All but the title. */
  readonly content: Html
}

/** The file with all guides, in the order in which they are listed. */
export const guidesFile = 'guides.json'

export async function readGuides(path: string): Promise<readonly Guide[]> {
  return JSON.parse(await readFile(path, 'utf8'))
}
