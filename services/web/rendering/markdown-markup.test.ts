import { expect, it } from 'vitest'
import { hostileMarkup } from '#libs/testing/hostile-markup.js'
import { boundedWork, MarkdownWorkError, markdownMarkup } from './markdown-markup.js'
import { scanMarkup } from './scan-markup.js'

it('HTML keeps its text and its allowed elements', () => {
  expect(markdownMarkup('<details open><summary class="x">More</summary>\n\n*text*\n\n</details>')).toBe(
    '<details open=""><summary>More</summary><p><em>text</em></p>\n</details>',
  )
  expect(markdownMarkup('a<br>b <kbd onclick="x()">K</kbd> <font color="red">c</font> 1 < 2')).toBe(
    '<p>a<br>b <kbd>K</kbd> c 1 &lt; 2</p>\n',
  )
  expect(markdownMarkup('<ol start="3" style="color:red"><li value="9">c</li></ol>')).toBe(
    '<ol start="3"><li>c</li></ol>',
  )
  expect(markdownMarkup('<a href="https://x.example" onclick=y>z</a><script>alert(1)</script>')).toContain(
    '<a href="https://x.example">z</a>',
  )
})

it.each([
  ['One word.[^2]\n\n[^2]: note', '<p>One word.[^2]</p>\n<p>[^2]: note</p>\n'],
  [
    'a[^note]\n\n[^note]: Second **bold**.',
    '<p>a[^note]</p>\n<p>[^note]: Second <strong>bold</strong>.</p>\n',
  ],
  ['[^1]: https://x.example', '<p>[^1]: <a href="https://x.example">https://x.example</a></p>\n'],
  ['  [^a b]: one', '<p>  [^a b]: one</p>\n'],
  ['[^1]: one\n[^2]: two', '<p>[^1]: one\n[^2]: two</p>\n'],
  ['> [^1]: in a quote', '<blockquote>\n<p>[^1]: in a quote</p>\n</blockquote>\n'],
  ['[x]\n\n[x]: https://x.example', '<p><a href="https://x.example">x</a></p>\n'],
])('a footnote keeps its text: %j', (markdown, markup) => {
  expect(markdownMarkup(markdown)).toBe(markup)
})

it('an image becomes a link to it, and a task a symbol', () => {
  expect(markdownMarkup('![a "b"](https://x.example/y.png)')).toBe(
    '<p><a href="https://x.example/y.png">a &quot;b&quot;</a></p>\n',
  )
  expect(markdownMarkup('- [x] done\n- [ ] open')).toContain('☑ done')
})

it.each([
  ['![foo *bar* `a&b` [c](d)](x.png)', '<a href="x.png">foo bar a&amp;b c</a>'],
  ['![foo ![bar](u)](v)', '<a href="v">foo bar</a>'],
  ['![one  \ntwo](x)', '<a href="x">one two</a>'],
  ['![1 &lt; 2 <b>3</b>](x?a=1&amp;b=2)', '<a href="x?a=1&amp;b=2">1 &lt; 2 3</a>'],
  ['![](x?a=1&b=2)', '<a href="x?a=1&amp;b=2">x?a=1&amp;b=2</a>'],
])('the alternative text of %s has no markup', (text, markup) => {
  expect(markdownMarkup(text)).toBe(`<p>${markup}</p>\n`)
})

it.each([
  ['[![CI *x*](b.svg)](run) ![d](e)', '<a href="run">CI x</a> <a href="e">d</a>'],
  ['[**![CI](b.svg)** now](run)', '<a href="run"><strong>CI</strong> now</a>'],
  ['<a href="run">![CI](b.svg)</a> ![d](e)', '<a href="run">CI</a> <a href="e">d</a>'],
  ['<a href="run"><img alt="C<I" src="b.svg"></a>', '<a href="run">C&lt;I</a>'],
  ['<a name="top"> ![d](e)', '<a> <a href="e">d</a>'],
])('an image within a link is its text: %s', (text, markup) => {
  expect(markdownMarkup(text)).toBe(`<p>${markup}</p>\n`)
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

function unitsRead(html: string): number {
  let units = 0
  scanMarkup(
    html,
    () => {},
    (read) => {
      units += read
    },
  )
  return units
}

it.each([
  ['text alone is read once', 'a b', 3],
  ['a tag is read once more', '<b>x', 4 + 3],
  ['tags that never end are each read to the end', '<a<a<a', 6 + 6 + 4 + 2],
  ['so are quotes that never end', '<a b="<a b="', 12 + 12 + 6],
  ['so are comments', '<!--<!--', 8 + 8 + 4],
  ['and declarations', '<?<!', 4 + 4 + 2],
  ['what cannot be a tag is not', '< < <', 5 + 1 + 1 + 1],
  ['a quote outside of a value is no value', `<p it's> "<b>"`, 14 + 8 + 3],
  ['white space may be before a quoted value', '<p a = ">">', 11 + 11],
])('%s: %s', (_, html, units) => {
  expect(unitsRead(html)).toBe(units)
})

const opened = `<div ${'<a'.repeat(4_096)}${'"'.repeat(8_192)}`

it.each([
  ['tags and quotes that never end', [opened, opened, opened, opened].join('\n\n')],
  ['tags that never end', `<div>${'<a'.repeat(30_000)}`],
  ['attributes that never end', `<div>${`<a b='`.repeat(10_000)}`],
  ['comments that never end', `<div>${'<!--'.repeat(16_000)}`],
  ['blocks of comments that never end', '<!--\n\n'.repeat(10_000)],
  ['declarations that never end', `<div>${'<?'.repeat(30_000)}`],
  ['long blocks of tags that never end', `<div ${'<a'.repeat(4_000)}\n\n`.repeat(8)],
])('HTML gives up in time: %s', (_, text) => {
  let spent = 0
  const spend = boundedWork(64_000_000)
  const counted = (work: number): void => {
    spent += work
    spend(work)
  }
  expect(() => markdownMarkup(text, counted)).toThrow(MarkdownWorkError)
  // No step is larger than the text read once.
  expect(spent).toBeLessThanOrEqual(64_000_000 + text.length * 100)
})

it.each([
  ['comparisons', `<div>${'1 < 2 '.repeat(10_000)}`],
  ['short blocks of tags that never end', `<p ${'<a'.repeat(12)}\n\n`.repeat(2_000)],
  ['tags', `<div>${'<b></b>'.repeat(9_000)}`],
])('HTML that is long and cheap is within the work: %s', (_, text) => {
  expect(markdownMarkup(text, boundedWork(64_000_000)).length).toBeGreaterThan(50_000)
})
