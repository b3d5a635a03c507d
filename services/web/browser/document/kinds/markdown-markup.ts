import { Marked } from 'marked'
import { attributesOf, type MarkupToken, scanMarkup } from './markup/scan-markup.js'

/** The HTML elements allowed in Markdown. Other tags are dropped, their content stays. */
const keptNames = new Set(
  'a abbr b blockquote br code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  ),
)

/** Elements whose content is not text for people. */
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
 * HTML whose only attributes are link targets, without elements that load, run or style anything, so that
 * parsing it for the sanitiser triggers no CSP reports.
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
    // Images are not loaded; their alt text links to them.
    image: ({ href, text }) => `<a href="${escaped(href)}">${escaped(text || href)}</a>`,
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** GitHub-flavoured Markdown as HTML, to be sanitised before it is shown. */
export function markdownMarkup(text: string): string {
  return marked.parse(text, { async: false })
}
