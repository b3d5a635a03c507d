import { describe, expect, it } from 'vitest'
import { renderGuide } from './render-guides.js'

const rendered = (markdown: string) => renderGuide('cli', 'Group', 'About.', `# The *title*\n\n${markdown}`)
const markupOf = (markdown: string): string => rendered(markdown).content.markup

it('the title stands apart, and headings have the anchors that GitHub gives them', () => {
  const { title, headings, content } = rendered(
    '## Use `PUT /x`, don’t [POST](ci.md)\n\n## Gates\n\n### Gates & more\n\n## Gates\n',
  )
  expect(title).toBe('The title')
  expect(headings).toEqual([
    { id: 'use-put-x-dont-post', text: 'Use PUT /x, don’t POST', depth: 2 },
    { id: 'gates', text: 'Gates', depth: 2 },
    { id: 'gates--more', text: 'Gates & more', depth: 3 },
    { id: 'gates-1', text: 'Gates', depth: 2 },
  ])
  expect(content.markup).not.toContain('<h1')
  expect(content.markup).toContain('<h3 id="gates--more">Gates &amp; more</h3>')
})

describe('a link', () => {
  it.each([
    ['#gates', '#gates'],
    ['ci.md', '/docs/ci'],
    ['ci.md#without-a-key', '/docs/ci#without-a-key'],
    ['https://www.rfc-editor.org/rfc/rfc6902', 'https://www.rfc-editor.org/rfc/rfc6902'],
  ])('to %s leads to %s', (link, address) => {
    expect(markupOf(`[it](${link})`)).toBe(`<p><a href="${address}">it</a></p>\n`)
  })

  it.each([
    'architecture.md',
    '../LICENSE',
    'decisions/README.md',
    'images/a.png',
    'http://localhost:8080/dashboard',
    'http://id.localhost:8083/auth',
    'https://snippets.example/s/ID',
  ])('to %s, which a reader does not have, is its text', (link) => {
    expect(markupOf(`[*it*](${link})`)).toBe('<p><em>it</em></p>\n')
  })
})

it('code and tables scroll in areas that a keyboard reaches, and show markup as text', () => {
  expect(markupOf('```console\n$ a <b> "$C"\n```\n')).toBe(
    '<div class="docs-code"><pre tabindex="0" data-lang="console"><code>$ a &lt;b&gt; &quot;$C&quot;\n</code></pre></div>\n',
  )
  expect(markupOf('| a |\n| --- |\n| `b` |\n')).toMatch(
    /^<div class="docs-table" role="group" aria-label="Table" tabindex="0"><table>[\s\S]*<td><code>b<\/code><\/td>/,
  )
})

it('screenshots are left out, and other HTML stops the build', () => {
  expect(markupOf('<picture>\n  <img src="images/a.png" alt="a">\n</picture>\n')).toBe('')
  expect(() => markupOf('<iframe src="https://evil.example"></iframe>\n')).toThrow(/docs\/cli\.md has HTML/)
  expect(() => markupOf('a <b>c</b>')).toThrow(/docs\/cli\.md has HTML/)
  expect(() => renderGuide('cli', 'Group', 'About.', 'No title.')).toThrow(/title/)
})
