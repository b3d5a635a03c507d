import DOMPurify from 'dompurify'
import { element } from './element.js'
import type { OpenView } from './view.js'
import './part-views.css'

/** The allowed elements: text markup, nothing that loads, runs, moves or imitates the page. */
const allowedTags =
  'a abbr b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'
const allowedAttributes = ['href', 'title', 'start', 'colspan', 'rowspan', 'align', 'lang', 'dir', 'open']

/** Sanitises HTML. Links open without a referrer or opener. */
function sanitised(markup: string): DocumentFragment {
  const fragment = DOMPurify.sanitize(markup, {
    ALLOWED_TAGS: allowedTags.split(' '),
    ALLOWED_ATTR: allowedAttributes,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a')) {
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
  return {
    reveal: async () => false,
    find: async () => null,
    setWrap: () => undefined,
    close: () => host.replaceChildren(),
  }
}
