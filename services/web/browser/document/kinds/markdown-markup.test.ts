import { expect, it } from 'vitest'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { markdownMarkup } from './markdown-markup.js'

it('HTML keeps its text and its allowed elements', () => {
  expect(markdownMarkup('<details open><summary class="x">More</summary>\n\n*text*\n\n</details>')).toBe(
    '<details><summary>More</summary><p><em>text</em></p>\n</details>',
  )
  expect(markdownMarkup('a<br>b <kbd onclick="x()">K</kbd> <font color="red">c</font> 1 < 2')).toBe(
    '<p>a<br>b <kbd>K</kbd> c 1 &lt; 2</p>\n',
  )
  expect(markdownMarkup('<a href="https://x.example" onclick=y>z</a><script>alert(1)</script>')).toContain(
    '<a href="https://x.example">z</a>',
  )
})

it('an image becomes a link to it, and a task a symbol', () => {
  expect(markdownMarkup('![a "b"](https://x.example/y.png)')).toBe(
    '<p><a href="https://x.example/y.png">a &quot;b&quot;</a></p>\n',
  )
  expect(markdownMarkup('- [x] done\n- [ ] open')).toContain('☑ done')
})

it('hostile markup loses every element that runs, loads or styles, and all attributes except of links and tables', () => {
  for (const hostile of hostileMarkup) {
    const markup = markdownMarkup(hostile)
    expect(markup, hostile).not.toMatch(
      /<(?:script|style|img|iframe|svg|math|object|embed|link|meta|base|form|input|video)\b/i,
    )
    expect(markup, hostile).not.toMatch(/<\w+[^>]*\s(?:on\w+|style|src|srcset|formaction)\s*=/i)
  }
})
