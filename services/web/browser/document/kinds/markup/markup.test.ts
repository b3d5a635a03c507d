import { expect, it } from 'vitest'
import { type MarkupToken, scanMarkup } from '../../../../rendering/scan-markup.js'
import { formatMarkup } from './format-markup.js'
import { markupTree } from './markup-tree.js'

const treeOf = (text: string): unknown => JSON.parse(new TextDecoder().decode(markupTree(text)))

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
  const tokens: MarkupToken[] = []
  scanMarkup(text, (token) => tokens.push(token))
  expect(tokens.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text)
  expect(treeOf(text)).toBeTypeOf('object')
  expect(formatMarkup(text).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
})

it('elements, attributes and texts become nodes, and entities stay as they are', () => {
  expect(
    treeOf('<o id="1"><item>a &amp; b</item><item n="2">c</item><e/>tail<!-- x --><__proto__/>end</o>'),
  ).toEqual({
    o: {
      '@id': '1',
      item: 'a & b',
      'item[2]': { '@n': '2', '#text': 'c' },
      e: '',
      '#text': 'tail',
      '#comment': 'x',
      ['__proto__']: '',
      '#text[2]': 'end',
    },
  })
  expect(treeOf(bomb)).toMatchObject({ lolz: { '@a': '&lol2;', '#text': '&lol2;' } })
  expect(treeOf('<a>&#x41;&#66;&#0;&#x110000;&nbsp;</a>')).toEqual({ a: 'AB&#0;&#x110000;&nbsp;' })
  expect(treeOf('<n>12345678901234567890.10</n>')).toEqual({ n: '12345678901234567890.10' })
  expect(treeOf('<UL><li>a<LI>b</ul>')).toEqual({ ul: { li: { '#text': 'a', li: 'b' } } })
})

it('elements get their own lines, and text keeps its white space', () => {
  expect(
    formatMarkup('<?xml version="1.0"?><a><b>one  two</b><c><d/></c><p>mixed <i>text</i>!</p></a>'),
  ).toBe(
    '<?xml version="1.0"?>\n<a>\n  <b>one  two</b>\n  <c>\n    <d/>\n  </c>\n  <p>mixed <i>text</i>!</p>\n</a>\n',
  )
  expect(formatMarkup('<div><pre>\n  x\n</pre><br><script>\nif (a<b) {}\n</script></div>')).toBe(
    '<div>\n  <pre>\n  x\n</pre>\n  <br>\n  <script>\nif (a<b) {}\n</script>\n</div>\n',
  )
})
