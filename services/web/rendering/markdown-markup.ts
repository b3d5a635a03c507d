import { Lexer, Marked, Renderer, type Token, type TokensList } from 'marked'
import { keptAttributes, keptElements } from './kept-markup.js'
import { attributesOf, decodeReferences, type MarkupToken, scanMarkup } from './scan-markup.js'

/** Elements whose content is not text for people. */
const silentNames: ReadonlySet<string> = new Set(['script', 'style', 'title', 'template'])

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** Whether a link is open: HTML has no links within links. */
interface LinkState {
  isOpen: boolean
}

/** What hears of work before or after it is done, and throws once it is too much. */
export type SpendWork = (work: number) => void

function keptTag(html: string, token: MarkupToken, link: LinkState): string {
  const { type, name } = token
  const pairs = attributesOf(html, token).map(([key, value]) => [key.toLowerCase(), value] as const)
  // Of two attributes of one name, the first counts.
  const attributes = new Map(pairs.reverse())
  // Images are not loaded; their alternative text stays.
  if (name === 'img') return escaped(attributes.get('alt') ?? '')
  if (!keptElements.includes(name)) return ''
  const isLink = name === 'a' && attributes.has('href')
  if (name === 'a') link.isOpen = isLink
  if (type === 'close') return `</${name}>`
  const kept = (isLink ? ['href'] : keptAttributes).filter((key) => attributes.has(key))
  return `<${[name, ...kept.map((key) => `${key}="${escaped(attributes.get(key) ?? '')}"`)].join(' ')}>`
}

/**
 * HTML without elements and attributes that load, run or style anything, so that parsing it for the sanitiser
 * triggers no CSP reports.
 */
function plainHtml(html: string, link: LinkState, spend: SpendWork): string {
  let plain = ''
  let silent: string | null = null
  const visit = (token: MarkupToken): void => {
    const { type, name, start, end } = token
    if (silent !== null) {
      if (type === 'close' && name === silent) silent = null
    } else if (type === 'open' && silentNames.has(name)) silent = name
    else if (type === 'text') plain += html.slice(start, end).replaceAll('<', '&lt;')
    else if (type === 'open' || type === 'empty' || type === 'close') plain += keptTag(html, token, link)
  }
  scanMarkup(html, visit, spend)
  return plain
}

/** What is between the tags. */
function textBetweenTags(html: string, spend: SpendWork): string {
  let text = ''
  const visit = ({ type, name, start, end }: MarkupToken): void => {
    if (type === 'text') text += html.slice(start, end)
    else if (name === 'br') text += ' '
  }
  scanMarkup(html, visit, spend)
  return text
}

function createMarked(spend: SpendWork): Marked {
  const link: LinkState = { isOpen: false }
  return new Marked({
    gfm: true,
    tokenizer: {
      // Footnotes are shown as they are written: as a definition of a link, the note would disappear.
      def: (source) => (/^ {0,3}\[\^/.test(source) ? undefined : false),
    },
    renderer: {
      html: ({ text }) => plainHtml(text, link, spend),
      link(token) {
        link.isOpen = true
        const markup = Renderer.prototype.link.call(this, token)
        link.isOpen = false
        return markup
      },
      // Images are not loaded; their alternative text links to them, unless it is within a link already.
      image({ href, tokens }) {
        const isWithinLink = link.isOpen
        const address = escaped(decodeReferences(href))
        const text = textBetweenTags(this.parser.parseInline(tokens), spend) || address
        link.isOpen = isWithinLink
        return isWithinLink ? text : `<a href="${address}">${text}</a>`
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    },
  })
}

/**
 * What reading a piece of Markdown may cost. Inline text, such as a long paragraph of exclamation marks, takes up to the
 * square of its length; blocks, such as quotes within quotes, their length at each level.
 */
const workOfBlocks = 100

/** Of each unit of HTML that is read. */
const workOfUnits = 2

/** A lexer that gives up once it has worked enough: some texts would take it seconds. */
function boundedLexer(options: Marked['defaults'], spend: SpendWork): Lexer {
  const lexer = new Lexer(options)
  const { inlineTokens, blockTokens } = lexer
  return Object.assign(lexer, {
    inlineTokens(source: string, tokens?: Token[]): Token[] {
      spend(source.length ** 2)
      return inlineTokens.call(lexer, source, tokens)
    },
    blockTokens(source: string, tokens?: TokensList, isClipped?: boolean): Token[] {
      spend(source.length * workOfBlocks)
      return blockTokens.call(lexer, source, tokens, isClipped)
    },
  })
}

/** A text whose rendering would take too much work. */
export class MarkdownWorkError extends Error {}

/** Work that throws a `MarkdownWorkError` beyond `workMax`, of which a second has more than a thousand million. */
export function boundedWork(workMax: number): SpendWork {
  let left = workMax
  return (work) => {
    left -= work
    if (left < 0) throw new MarkdownWorkError()
  }
}

/**
 * GitHub-flavoured Markdown as HTML, to be sanitised before it is shown. `spend` hears of the work and may throw: by
 * default it takes what it takes.
 */
export function markdownMarkup(text: string, spend: SpendWork = () => {}): string {
  const marked = createMarked((units) => spend(units * workOfUnits))
  return marked.parser(boundedLexer(marked.defaults, spend).lex(text))
}
