import { text } from '../../texts/text.js'
import type { Kind } from '../document/kinds/kind.js'
import type { Announce } from '../share/announcements.js'
import { takeDraft } from '../tools/draft.js'
import { openKeeping } from '../tools/keeping.js'
import { kindName } from '../viewer/kind-name.js'
import type { Given } from './given.js'

/** What the front page's drafts are kept for instead of a tool. */
const frontPage = ''

/** Sharing what the front page was given. */
export interface GivenSharing {
  share(given: Given, kind: Kind): Promise<void>
  /** What someone wanted to share when they had to sign in first, once that is done; `null` if nothing. */
  resume(): Promise<Given | null>
}

/** Whether data is text in UTF-8, as a share must be. Holds no more of it than a piece. */
async function isUtf8(data: Blob): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for (const reader = data.stream().getReader(); ; ) {
      const { value, done } = await reader.read()
      decoder.decode(value, { stream: !done })
      if (done) return true
    }
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Loaded only when someone shares, or comes back from the sign-in. */
export function openSharing(announce: Announce): GivenSharing {
  const keeping = openKeeping()
  return {
    async share({ data, name }, kind) {
      if (!(await isUtf8(data))) return announce(text('landing.notText'))
      const title = name ?? kindName(kind)
      const draft = { tool: frontPage, options: [], input: data, name }
      return keeping.keep('share', {
        tool: kind,
        key: kind,
        title,
        output: data,
        about: 'landing.sends',
        draft,
      })
    },
    async resume() {
      const draft = await takeDraft(frontPage)
      if (draft === null) return null
      await keeping.resume()
      return { data: draft.input, name: draft.name }
    },
  }
}
