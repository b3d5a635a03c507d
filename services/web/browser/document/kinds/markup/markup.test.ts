import { expect, it } from 'vitest'
import { formatMarkup } from './format-markup.js'
import { markupTree } from './markup-tree.js'
import { isWellFormedXml, type MarkupToken, scanMarkup } from './scan-markup.js'

const treeOf = (text: string, isHtml = false): unknown =>
  JSON.parse(new TextDecoder().decode(markupTree(text, isHtml)))

const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><lolz a="&lol2;">&lol2;</lolz>`

const hostile = [
  bomb,
  '<',
  '<a',
  '<a b="',
  '<!--',
  '<![CDATA[',
  '<?',
  '<!DOCTYPE a [',
  '</a>',
  '<a></b></a>',
  '<a><b></a>',
  '<script>if (a < b) "</p>"</script>',
  "<p it's>x</p>",
  '<a b = "x>y" c>z</a>',
  '<'.repeat(5_000),
  '<a>'.repeat(5_000),
  `${'<a>'.repeat(5_000)}${'</b>'.repeat(5_000)}`,
  '<a '.repeat(100_000),
  '<!-- '.repeat(100_000),
  'a < b and c > d',
]

it.each(hostile)('tokens add up to the whole text, whatever it is (%#)', (text) => {
  for (const isHtml of [true, false]) {
    const tokens: MarkupToken[] = []
    scanMarkup(text, isHtml, (token) => tokens.push(token) > 0)
    expect(tokens.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
    expect(treeOf(text, isHtml)).toBeTypeOf('object')
    expect(formatMarkup(text, isHtml).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
  }
})

it.each([
  ['<a/>', true],
  ['<?xml version="1.0"?>\n<a x="1>2"><b>t</b><!-- c --></a>\n', true],
  ['<a><b></a></b>', false],
  ['<a/><b/>', false],
  ['<a>1 < 2</a>', false],
  ['text <a/>', false],
  ['<a>', false],
  ['<p>One<br>two</p>', false],
  ['no markup', false],
  [bomb, true],
])('%s is well-formed: %s', (text, expected) => {
  expect(isWellFormedXml(text)).toBe(expected)
})

it('elements, attributes and texts become nodes, and entities stay as they are', () => {
  expect(treeOf('<o id="1"><item>a &amp; b</item><item n="2">c</item><e/>tail<![CDATA[<x>]]></o>')).toEqual({
    o: {
      '@id': '1',
      item: 'a & b',
      'item[2]': { '@n': '2', '#text': 'c' },
      e: '',
      '#text': 'tail',
      '#text[2]': '<x>',
    },
  })
  expect(treeOf(bomb)).toMatchObject({ lolz: { '@a': '&lol2;', '#text': '&lol2;' } })
  expect(treeOf('<a>&#x41;&#66;&#0;&#x110000;&nbsp;</a>')).toEqual({ a: 'AB&#0;&#x110000;&nbsp;' })
  expect(treeOf('<n>12345678901234567890.10</n>')).toEqual({ n: '12345678901234567890.10' })
  expect(treeOf('<UL><li>a<LI>b</ul>', true)).toEqual({ ul: { li: { '#text': 'a', li: { '#text': 'b' } } } })
})

it('elements get their own lines, and text keeps its white space', () => {
  expect(
    formatMarkup('<?xml version="1.0"?><a><b>one  two</b><c><d/></c><p>mixed <i>text</i>!</p></a>', false),
  ).toBe(
    '<?xml version="1.0"?>\n<a>\n  <b>one  two</b>\n  <c>\n    <d/>\n  </c>\n  <p>mixed <i>text</i>!</p>\n</a>\n',
  )
  expect(formatMarkup('<div><pre>\n  x\n</pre><br><script>\nif (a<b) {}\n</script></div>', true)).toBe(
    '<div>\n  <pre>\n  x\n</pre>\n  <br>\n  <script>\nif (a<b) {}\n</script>\n</div>\n',
  )
})
