import { readableSize, type TextName, text } from '../../texts/text.js'
import { browserSession } from '../dashboard/session/browser-session.js'
import { wasSignedIn } from '../dashboard/session/session.js'
import { enforceSecretPolicy } from '../secrets/find-data-secrets.js'
import { pageButton } from '../share/page-button.js'
import { element } from '../viewer/element.js'
import { adoptDraft, type Draft, type Purpose, putDraft } from './draft.js'
import { openDialog, openKeepDialog } from './keep-dialog.js'
import { keepOutput } from './keep-output.js'

/** What can be kept now. */
export interface Keepable {
  readonly tool: string
  /** The member of `data` that holds it. */
  readonly key: string
  readonly title: string
  readonly output: Blob
  /** The text that says, with its `size`, what is uploaded. */
  readonly about: TextName
  /** What the page needs to be as it is now, after a sign-in. */
  readonly draft: Omit<Draft, 'purpose'>
}

/** Saves and shares, for those who are signed in; others are first led to the issuer and back. */
export interface Keeping {
  /** Completes a sign-in that began here. */
  resume(): Promise<void>
  keep(purpose: Purpose, kept: Keepable): Promise<void>
}

const tickMs = 5_000

/** Loaded only when someone saves or shares. */
export function openKeeping(): Keeping {
  const session = browserSession()
  setInterval(() => session.tick(), tickMs)

  const upload = (purpose: Purpose, { tool, key, title, output, about }: Keepable): void => {
    const form = crypto.randomUUID()
    const sends = text(about, { size: readableSize(output.size) })
    openKeepDialog(purpose, title, sends, async (wanted, asked, signal, onProgress) => {
      const allowSecrets = purpose === 'share' && (await enforceSecretPolicy(output, asked, 'text'))
      signal.throwIfAborted()
      const kept = { ...wanted, purpose, tool, key, output, allowSecrets }
      return keepOutput(session, kept, form, signal, onProgress)
    })
  }

  const askToSignIn = (purpose: Purpose, { draft }: Keepable): void => {
    const problem = element('p', { class: 'tool-problem', attributes: { role: 'alert' } })
    const tell = (): void => {
      const state = session.state()
      if (state.kind === 'signed-out' && state.failure !== null)
        problem.textContent = text(`session.${state.failure}`)
    }
    const leave = async (): Promise<void> => {
      try {
        // This tab returns to it.
        adoptDraft(await putDraft({ ...draft, purpose }))
      } catch {
        problem.textContent = text('tool.noDraft')
        return
      }
      await session.signIn(wasSignedIn(sessionStorage) ? 'silent' : undefined)
      tell()
    }
    const signIn = pageButton('button first', text('session.signIn'), () => void leave())
    const cancel = pageButton('button', text('loading.cancel'), () => dialog.close())
    const dialog = openDialog(
      text(purpose === 'save' ? 'tool.signInToSave' : 'tool.signInToShare'),
      element('p', '', text('tool.signInAbout')),
      problem,
      element('div', 'tool-dialog-actions', signIn, cancel),
    )
    tell()
    // The issuer asks nothing of people who are still signed in there.
    if (wasSignedIn(sessionStorage) && problem.textContent === '') signIn.click()
  }

  return {
    resume: () => session.resume(),
    async keep(purpose, kept) {
      if (session.state().kind === 'starting') await session.resume()
      if ((await session.credential()) === null) askToSignIn(purpose, kept)
      else upload(purpose, kept)
    },
  }
}
