import { Marked } from 'marked'
import { attributesOf, type MarkupToken, scanMarkup } from './markup/scan-markup.js'

/** Elements that Markdown may hold as HTML. The tags of all others go, and what stands in them stays. */
const keptNames = new Set(
  'a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  ),
)

/** Elements whose content is no text for people. */
const silentNames = new Set(['script', 'style', 'title', 'template'])

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function keptTag(html: string, token: MarkupToken): string {
  if (!keptNames.has(token.name)) return ''
  if (token.type === 'close') return `</${token.name}>`
  const href =
    token.name === 'a' ? attributesOf(html, token).find(([name]) => name.toLowerCase() === 'href') : undefined
  return href === undefined ? `<${token.name}>` : `<a href="${escaped(href[1])}">`
}

/**
 * HTML without attributes but the addresses of links, and without elements that load, run or style anything: so that
 * a browser that parses it in order to sanitise it has nothing to report.
 */
function plainHtml(html: string): string {
  let plain = ''
  let silent: string | null = null
  scanMarkup(html, true, (token) => {
    const { type, name, start, end } = token
    if (silent !== null) {
      if (type === 'close' && name === silent) silent = null
    } else if (type === 'open' && silentNames.has(name)) silent = name
    else if (type === 'text') plain += html.slice(start, end).replaceAll('<', '&lt;')
    else if (type === 'open' || type === 'empty' || type === 'close') plain += keptTag(html, token)
    return true
  })
  return plain
}

const marked = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => plainHtml(text),
    // No picture is fetched: its text leads to it.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** Markdown as GitHub has it as HTML, which must be sanitised before it is shown. */
export function markdownMarkup(text: string): string {
  return marked.parse(text, { async: false })
}
