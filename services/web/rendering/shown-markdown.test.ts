import { expect, it } from 'vitest'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { unnestedMarkup } from '#libs/testing/unnested-markup.js'
import { keptElements } from './kept-markup.js'
import { shownMarkdown } from './shown-markdown.js'

const rel = 'rel="noopener noreferrer nofollow ugc" target="_blank"'
const markupOf = (text: string): string => shownMarkdown(text)?.markup ?? 'too much work'

it.each([
  ['# T\n\na *b* `c`', '<h1>T</h1>\n<p>a <em>b</em> <code>c</code></p>\n'],
  ['[a](https://x.example "t")', `<p><a href="https://x.example" title="t" ${rel}>a</a></p>\n`],
  ['[a](mailto:x@y.example)', `<p><a href="mailto:x@y.example" ${rel}>a</a></p>\n`],
  ['![a](https://x.example/y.png)', `<p><a href="https://x.example/y.png" ${rel}>a</a></p>\n`],
  ['1 &lt; 2 &copy; < 3', '<p>1 &lt; 2 &copy; &lt; 3</p>\n'],
  ['3. c', '<ol start="3">\n<li>c</li>\n</ol>\n'],
  ['    x', '<section class="viewer-scrolled" tabindex="0"><pre><code>x\n</code></pre></section>\n'],
])('%j is rendered', (text, markup) => {
  expect(markupOf(text)).toBe(markup)
})

it.each(['/s/x', 'x.md', '#a', '//x.example', 'javascript:alert(1)', 'data:text/html,x', ' JaVaScRiPt:1'])(
  'a link to %j leads nowhere',
  (address) => {
    expect(markupOf(`[a](<${address}>) <a href="${address}">b</a>`)).toBe(
      `<p><a ${rel}>a</a> <a ${rel}>b</a></p>\n`,
    )
  },
)

it('a link without text is left out, with what is around it', () => {
  expect(markupOf('a <a href="https://x.example"><b> </b></a> c')).toBe('<p>a <b> </b> c</p>\n')
})

it('elements are closed where they were opened, and no element of the page is', () => {
  expect(markupOf('</div></section></main></body><div><b>a')).toBe('<section><b>a</b></section>')
  expect(markupOf('<ul><li><div>a<li>b</div></li></ul></div>')).toBe(
    '<ul><li><section>a<li>b</li></section></li></ul>',
  )
  expect(markupOf('a <i>b </b>c')).toBe('<p>a <i>b c</i></p>\n')
})

/** The tags of markup; all of it that begins like one must be one. */
function tagsOf(markup: string): readonly RegExpExecArray[] {
  const tags = [...markup.matchAll(/<(\/?)([a-z0-9]+)((?: [a-z]+="[^"<>]*")*)>/g)]
  expect(markup.split('<')).toHaveLength(tags.length + 1)
  return tags
}

it('whatever the text, its markup has kept elements and attributes alone, all closed in order', () => {
  for (const hostile of hostileMarkup.flatMap((text) => [text, `- <div>${text}\n- **b** ${text}`])) {
    const open: string[] = []
    for (const [, slash, name = '', attributes = ''] of tagsOf(markupOf(hostile))) {
      expect(name === 'section' || (name !== 'div' && keptElements.includes(name)), name).toBe(true)
      expect(attributes.replace(/ href="(?:https?:\/\/|mailto:)[^"]*"/i, ''), hostile).toMatch(
        /^(?: (?:title|start|colspan|rowspan|align|lang|dir|open|rel|target|class|tabindex)="[^"]*")*$/,
      )
      if (slash === '/') expect(open.pop(), hostile).toBe(name)
      else if (name !== 'br' && name !== 'hr') open.push(name)
    }
    expect(open, hostile).toEqual([])
  }
})

it.each([
  ['<table><td>a</table>', '<table><tbody><tr><td>a</td></tr></tbody></table>'],
  [
    '<table><th>a<tr><td>b<tfoot><td>c',
    '<table><tbody><tr><th>a</th></tr><tr><td>b</td></tr></tbody><tfoot><tr><td>c</td></tr></tfoot></table>',
  ],
  [
    '<table>a<tr>b<caption>c<i>d<td>e</table>',
    '<table><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody><caption>c<i>d</i></caption><tbody><tr><td>e</td></tr></tbody></table>',
  ],
  [
    '<table><tr><td><b>a<td>b</b></table>',
    '<table><tbody><tr><td><b>a</b></td><td>b</td></tr></tbody></table>',
  ],
  ['<td>a<tr>b<caption>c', 'abc'],
])('a table has whatever it holds in cells: %s', (text, table) => {
  const framed = (markup: string): string =>
    markup.replace(/^<table.*<\/table>/, '<section class="viewer-scrolled" tabindex="0">$&</section>')
  expect(markupOf(`<div>${text}</div>`)).toBe(`<section>${framed(table)}</section>`)
})

/** What elements of a table are within in HTML. */
const parents: Readonly<Record<string, RegExp>> = {
  caption: /^table$/,
  thead: /^table$/,
  tbody: /^table$/,
  tfoot: /^table$/,
  tr: /^t(?:head|body|foot)$/,
  td: /^tr$/,
  th: /^tr$/,
}

it('browsers move nothing out of tables, as all of it is in cells', () => {
  for (const hostile of [
    ...unnestedMarkup,
    ...hostileMarkup.map((text) => `<div><table>${text}<tr>${text}<td>${text}`),
  ]) {
    const markup = markupOf(hostile)
    const open: string[] = []
    let end = 0
    for (const { 0: tag, 1: slash, 2: name = '', index } of tagsOf(markup)) {
      const isPart = /^(?:table|thead|tbody|tfoot|tr)$/.test(open.at(-1) ?? '')
      if (isPart) expect(markup.slice(end, index).trim(), hostile).toBe('')
      end = index + tag.length
      if (slash === '/') open.pop()
      else {
        const parent = parents[name]
        if (parent !== undefined || isPart) expect(open.at(-1), `${hostile}: ${name}`).toMatch(parent ?? /^$/)
        if (name !== 'br' && name !== 'hr') open.push(name)
      }
    }
  }
})

it.each(['!', 'a*', '**a', '> ', '>', '1. ', '> - ', '<div>', 'a*b_', '<b>'])(
  '64 KiB of %j are too much work, and give up',
  (piece) => {
    expect(shownMarkdown(piece.repeat(65_536 / piece.length))).toBeNull()
  },
)

it('64 KiB of usual text are not too much work', () => {
  const paragraph = `## Title\n\nSome *words*, a [link](https://x.example) and \`code\`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n`
  expect(markupOf(paragraph.repeat(500).slice(0, 65_536))).toContain('<td>1</td>')
})

it('markup that grows too long is not shown', () => {
  expect(shownMarkdown('|a|\n|-|\n'.repeat(8_000))).toBeNull()
  expect(shownMarkdown('"\n\n'.repeat(21_000))?.markup.length ?? 0).toBeLessThanOrEqual(262_144)
})
