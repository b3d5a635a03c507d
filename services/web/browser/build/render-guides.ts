import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Marked, Renderer, type RendererObject } from 'marked'
import { escapeHtml } from '#libs/html/html.js'
import { guideGroups } from '../../guide-list.js'
import type { Guide, GuideHeading } from '../../guides.js'

const names: ReadonlySet<string> = new Set(
  guideGroups.flatMap(({ guides }) => guides.map(({ name }) => name)),
)

/** Where a link of a guide leads from its page; `null` for what is not there, such as files of the repository. */
function addressOf(href: string): string | null {
  if (href.startsWith('#')) return href
  // The address of a server that a reader may have started, or of none at all.
  if (/^https?:\/\/(?:[\w-]+\.)*(?:localhost|example)\b/.test(href)) return null
  if (/^[a-z]+:/.test(href)) return href
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return names.has(name) ? `/docs/${name}${anchor}` : null
}

/** The anchor that GitHub gives to a heading. It numbers those that come again. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Renders as pages need it, and collects the headings. */
function rendererOf(name: string, headings: GuideHeading[]): RendererObject {
  return {
    heading({ tokens, depth }) {
      const text = this.parser.parseInline(tokens, this.parser.textRenderer).trim()
      const anchor = anchorOf(text)
      const before = headings.filter((one) => anchorOf(one.text) === anchor).length
      const id = before === 0 ? anchor : `${anchor}-${before}`
      headings.push({ id, text, depth })
      // The page begins with the title itself.
      return depth === 1 ? '' : `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const address = addressOf(href)
      const text = this.parser.parseInline(tokens)
      return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`
    },
    // A scroll area of its own, which a keyboard must reach.
    code({ text, lang = '' }) {
      return `<div class="docs-code"><pre tabindex="0" data-lang="${escapeHtml(lang)}"><code>${escapeHtml(text)}\n</code></pre></div>\n`
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token)
      return `<div class="docs-table" role="group" aria-label="Table" tabindex="0">${table}</div>\n`
    },
    image: ({ text }) => escapeHtml(text),
    html({ text }) {
      // Screenshots of what the reader is looking at.
      if (text.startsWith('<picture>')) return ''
      throw new Error(`docs/${name}.md has HTML that /docs does not show: ${text.slice(0, 60)}`)
    },
  }
}

/**
 * Renders a guide from its Markdown.
 * @throws Error if it has HTML or no title.
 */
export function renderGuide(name: string, group: string, summary: string, markdown: string): Guide {
  const headings: GuideHeading[] = []
  const marked = new Marked({ gfm: true, renderer: rendererOf(name, headings) })
  const content = { markup: marked.parse(markdown, { async: false }) }
  const [title, ...others] = headings
  if (title?.depth !== 1) throw new Error(`docs/${name}.md does not begin with a title.`)
  return { name, group, title: title.text, summary, headings: others, content }
}

/** Renders every guide from the Markdown in this folder. */
export function renderGuides(folder: string): readonly Guide[] {
  return guideGroups.flatMap(({ title, guides }) =>
    guides.map(({ name, summary }) =>
      renderGuide(name, title, summary, readFileSync(join(folder, `${name}.md`), 'utf8')),
    ),
  )
}
