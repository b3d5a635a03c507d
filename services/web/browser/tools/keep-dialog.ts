import './tool-dialog.css'
import { text } from '../../texts/text.js'
import { describeProblem } from '../dashboard/kit/describe-problem.js'
import { lifetimesBelow } from '../dashboard/new-data/share-terms.js'
import { SecretsFound } from '../secrets/find-data-secrets.js'
import { pageButton } from '../share/page-button.js'
import { copyToClipboard } from '../viewer/clipboard.js'
import { element } from '../viewer/element.js'
import type { Kept, KeptOutput } from './keep-output.js'

/**
 * Uploads what the dialog describes.
 * @param asked the secrets that may be published.
 * @throws SecretsFound to ask about them.
 */
export type Keep = (
  wanted: Pick<KeptOutput, 'title' | 'expiresIn'>,
  asked: SecretsFound | null,
  signal: AbortSignal,
  onProgress: (share: number) => void,
) => Promise<Kept>

/** Longer ones than of 30 days are for the dashboard: these are possible on any plan. */
const lifetimes = lifetimesBelow(31 * 86_400)

/** Opens a modal dialog with this heading; it is gone once it is closed. */
export function openDialog(heading: string, ...content: readonly (Node | string)[]): HTMLDialogElement {
  const title = element('h2', 'tool-dialog-title', heading)
  const dialog = element('dialog', 'tool-dialog', title, ...content)
  dialog.ariaLabel = heading
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

function expirySelect(): HTMLSelectElement {
  return element(
    'select',
    'tool-field',
    element('option', { attributes: { value: '' } }, text('tool.longest')),
    ...lifetimes.map(({ id, label }) => element('option', { attributes: { value: id } }, label)),
  )
}

/** Says where the output is now. */
function keptNotice(purpose: KeptOutput['purpose'], { id, share_url: shareUrl }: Kept): HTMLElement {
  const address = shareUrl ?? `/dashboard/snippets/${id}`
  const link = element(
    'a',
    { class: 'tool-kept-link', attributes: { href: address } },
    shareUrl ?? text('tool.openSaved'),
  )
  const said = element('p', '', text(purpose === 'save' ? 'tool.saved' : 'tool.shared'), ' ', link)
  const notice = element('div', { attributes: { role: 'status' } }, said)
  if (shareUrl === undefined) return notice
  const copied = element('span', 'tool-hint')
  const copy = async (): Promise<void> => {
    copied.textContent = text((await copyToClipboard(shareUrl)) ? 'place.copied' : 'place.notCopied')
  }
  notice.append(
    pageButton('button', text('share.copyLink'), () => void copy()),
    ' ',
    copied,
  )
  return notice
}

/** What would be published. */
function secretsNotice({ secrets }: SecretsFound): HTMLElement {
  const items = secrets.map(({ name, certain, masked }) =>
    element(
      'li',
      '',
      text(certain ? 'secrets.certain' : 'secrets.likely', { name }),
      ' ',
      element('code', '', masked),
    ),
  )
  const said = `${text('secrets.found', { count: secrets.length })} ${text('secrets.about')}`
  return element('div', 'tool-secrets', element('p', '', said), element('ul', '', ...items))
}

/** Asks for a title, and of a share for its lifetime, and says what has become of it. */
export function openKeepDialog(
  purpose: KeptOutput['purpose'],
  title: string,
  sends: string,
  keep: Keep,
): void {
  const attributes = { maxlength: 200, autocomplete: 'off' }
  const titleField = element('input', { class: 'tool-field', attributes })
  titleField.value = title
  const expires = purpose === 'share' ? expirySelect() : null
  const progress = element('progress', { attributes: { max: 1, 'aria-label': text('tool.sending') } })
  progress.hidden = true
  const problem = element('div', { class: 'tool-problem', attributes: { role: 'alert' } })
  // Both names in full: the build keeps all texts that begin as a template does.
  const act = text(purpose === 'save' ? 'tool.save' : 'tool.share')
  let asked: SecretsFound | null = null
  const controller = new AbortController()
  const cancel = pageButton('button', text('loading.cancel'), () => dialog.close())
  const send = element('button', { class: 'button first', attributes: { type: 'submit' } }, act)
  const form = element(
    'form',
    'tool-dialog-form',
    element('label', 'tool-label', text('snippets.title'), titleField),
    ...(expires === null ? [] : [element('label', 'tool-label', text('snippets.expires'), expires)]),
    element('p', 'tool-hint', sends),
    progress,
    problem,
    element('div', 'tool-dialog-actions', send, cancel),
  )
  const attempt = async (): Promise<void> => {
    send.disabled = true
    progress.hidden = false
    problem.replaceChildren()
    try {
      const wanted = { title: titleField.value.trim(), expiresIn: expires?.value ?? '' }
      const kept = await keep(wanted, asked, controller.signal, (share) => {
        progress.value = share
      })
      const close = pageButton('button', text('kit.close'), () => dialog.close())
      form.replaceWith(keptNotice(purpose, kept), element('div', 'tool-dialog-actions', close))
      close.focus()
    } catch (error) {
      if (controller.signal.aborted) return
      if (error instanceof SecretsFound) {
        asked = error
        send.textContent = text('secrets.publish')
        problem.append(secretsNotice(error))
      } else {
        const known = error instanceof Error ? error : new Error(String(error))
        const { detail, detailLanguage: lang = null } = describeProblem(known)
        problem.append(element('span', { attributes: { lang } }, detail))
      }
    } finally {
      send.disabled = false
      progress.hidden = true
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt()
  })
  const dialog = openDialog(act, form)
  dialog.addEventListener('close', () => controller.abort())
}
