import { readableSize, text } from '../../texts/text.js'
import { DocumentError, type Progress } from '../document/document-reader.js'
import { element, pressButton } from './element.js'
import './loading.css'

/** Shows the progress of a download. */
export interface LoadingNotice {
  readonly element: HTMLElement
  show(progress: Progress): void
}

/** A thin line over what is there, and soon what it means, with a Cancel button. Nothing moves for it. */
export function loadingNotice(onCancel: () => void): LoadingNotice {
  const bar = element('progress', 'viewer-progress')
  bar.setAttribute('aria-label', text('loading.label'))
  const said = element('span', 'viewer-progress-text', text('loading.start'))
  const words = element('div', 'viewer-loading-words', said, pressButton(text('loading.cancel'), onCancel))
  const notice = element('div', 'viewer-loading', bar, words)
  return {
    element: notice,
    show({ phase, receivedBytes, totalBytes }) {
      if (phase === 'indexing') {
        bar.removeAttribute('value')
        said.textContent = text('loading.indexing')
        return
      }
      bar.max = Math.max(1, totalBytes)
      bar.value = receivedBytes
      if (phase === 'comparing') {
        said.textContent = text('loading.comparing', { percent: Math.floor(bar.position * 100) })
        return
      }
      said.textContent = text('loading.progress', {
        received: readableSize(receivedBytes),
        total: readableSize(totalBytes),
      })
    },
  }
}

/** Says why a document cannot be shown, with a retry button where retrying can help. */
export function failureNotice(error: unknown, onRetry: () => void): HTMLElement {
  const lost =
    error instanceof DocumentError &&
    ['gone', 'not-found', 'too-large', 'not-comparable'].includes(error.code)
  const notice = element(
    'div',
    'viewer-notice',
    element('p', 'viewer-reason', error instanceof DocumentError ? error.message : text('document.broken')),
  )
  notice.setAttribute('role', 'alert')
  if (!lost) notice.append(pressButton(text('loading.retry'), onRetry))
  return notice
}
