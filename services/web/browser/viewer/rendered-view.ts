import DOMPurify from 'dompurify'
import { keptAttributes, keptElements } from '../../rendering/kept-markup.js'
import { element } from './element.js'
import type { OpenView } from './view.js'

/** Sanitises HTML. Links open without a referrer or opener; those without text are nothing to see or stop at. */
function sanitised(markup: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(markup, {
    ALLOWED_TAGS: [...keptElements],
    ALLOWED_ATTR: ['href', 'title', ...keptAttributes],
    // Of all other attributes it takes the values for addresses.
    ADD_URI_SAFE_ATTR: [...keptAttributes],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a')) {
    if (link.textContent.trim() === '') {
      link.replaceWith(...link.childNodes)
      continue
    }
    link.rel = 'noopener noreferrer nofollow ugc'
    link.target = '_blank'
  }
  for (const block of fragment.querySelectorAll('pre, table')) {
    const scroller = element('div', { class: 'viewer-scrolled', attributes: { tabindex: 0 } })
    block.replaceWith(scroller)
    scroller.append(block)
  }
  return fragment
}

/** Shows rendered Markdown. */
export const openRenderedView: OpenView = async (host, { reader }) => {
  const body = element('div', { class: 'viewer-rendered', attributes: { dir: 'auto' } })
  body.append(sanitised((await reader.markup()) ?? ''))
  host.append(body)
  return { close: () => host.replaceChildren() }
}
