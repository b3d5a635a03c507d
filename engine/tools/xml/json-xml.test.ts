import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { tokensOf } from '../testing/json-reference.js'
import { runOnText } from '../testing/run-tool.js'
import { jsonToXml } from './json-to-xml.js'
import { xmlMinify } from './xml-minify.js'
import { xmlToJson } from './xml-to-json.js'

const compact = { indent: 'none', final_newline: false }
const bare = { ...compact, declaration: false }

/** The tokens of JSON, with strings spelled in one way. */
const spelled = (json: string): readonly string[] =>
  tokensOf(json).map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token))

async function expectBack(json: string, options: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const xml = await runOnText(jsonToXml, json, options)
  expect(spelled(await runOnText(xmlToJson, xml)), `${json}\n${xml}`).toEqual(spelled(json))
  // Other formatters leave what it says.
  expect(spelled(await runOnText(xmlToJson, await runOnText(xmlMinify, xml))), xml).toEqual(spelled(json))
  return xml
}

describe('JSON as XML', () => {
  const keys = [
    'a',
    'b',
    '@a',
    '@b',
    '@xmlns:x',
    'x:a',
    '@x:a',
    'y:a',
    '#text',
    '#content',
    '#comment',
    '#pi',
    'json:type',
    '@json:type',
    '@xmlns:json',
    '@xml:space',
    'a b',
    '',
    'item',
    'root',
    'é',
    '1',
  ]
  const scalars = [
    '"x"',
    '""',
    '" "',
    '"preserve"',
    '"urn:snipkeep:json"',
    '"do it"',
    '"a<b&c>\\"\\r\\n"',
    '1.0',
    'null',
    'true',
    '"\\ufffe"',
    '"]]>"',
    '"--"',
  ]

  it('comes back if its keys look like parts of XML', async () => {
    for (let seed = 0; seed < 400; seed += 1) {
      const random = seededRandom(seed)
      const plain = random.below(2) === 0
      const value = (depth: number): string => {
        const kind = random.below(depth === 0 ? 1 : 4)
        if (kind === 0) return random.pick(plain ? scalars.slice(0, 3) : scalars)
        const count = random.below(4)
        if (kind === 1) return `[${Array.from({ length: count }, () => value(depth - 1)).join(',')}]`
        return `{${Array.from({ length: count }, () => `"${random.pick(keys)}":${value(depth - 1)}`).join(',')}}`
      }
      await expectBack(value(4), { indent: random.pick(['none', '1']) })
    }
  })

  it('uses attributes, text and elements for the keys that stand for them', async () => {
    expect(await runOnText(jsonToXml, '{"note":{"@lang":"en","#text":"hi & <bye>"}}', bare)).toBe(
      '<note lang="en">hi &amp; &lt;bye&gt;</note>',
    )
    expect(await runOnText(jsonToXml, '{"a":{"@n":"1","b":2}}', bare)).toBe(
      '<a xmlns:json="urn:snipkeep:json" n="1"><b json:type="number">2</b></a>',
    )
    expect(await runOnText(jsonToXml, '{"a":{"@n":1,"b":[],"c":null}}', { ...bare, marks: false })).toBe(
      '<a n="1"><c/></a>',
    )
  })

  it('writes prefixes only where they are declared', async () => {
    expect(await expectBack('{"og:title":1}', bare)).toContain('<og_title json:key="og:title"')
    const soap = '{"s:Envelope":{"@xmlns:s":"urn:s","s:Body":{"n":1}}}'
    expect(await expectBack(soap, bare)).toContain('<s:Body><n json:type="number">1</n></s:Body>')
  })

  it('keeps controls and half pairs as escapes, and refuses them without marks', async () => {
    expect(await expectBack('{"a":"\\u0000\\ud800<"}', bare)).toContain(
      ' json:type="escaped">\\u0000\\ud800&lt;</a>',
    )
    await expect(runOnText(jsonToXml, '{"a":"\\u0000"}', { marks: false })).rejects.toMatchObject({
      code: 'xml_character',
    })
  })

  it('comes back at the deepest level', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      await expectBack(`${open.repeat(510)}1${close.repeat(510)}`, compact)
    const deepest = `${'['.repeat(512)}1${']'.repeat(512)}`
    expect(await runOnText(xmlToJson, await runOnText(jsonToXml, deepest, compact), compact)).toBe(deepest)
  })

  it('streams long strings, escapes and all', async () => {
    for (const unit of ['é<', '\\n\\u00e9', '\\u0000é', '\uffff'])
      await expectBack(`{"a":1,"b":"${unit.repeat(100_000)}"}`)
  })
})

describe('XML as JSON', () => {
  it.each([
    ['<a/>', '{"a":""}'],
    ['<a> </a>', '{"a":" "}'],
    ['<a>\n  <!-- none -->\n</a>', '{"a":""}'],
    ['<a x="1"/>', '{"a":{"@x":"1"}}'],
    ['<a x="1">t</a>', '{"a":{"@x":"1","#text":"t"}}'],
    ['<a><![CDATA[<b>]]> &amp; c</a>', '{"a":"<b> & c"}'],
    ['<a>x<!-- y -->z</a>', '{"a":"xz"}'],
    ['<a><b/><b/><c/></a>', '{"a":{"b":["",""],"c":""}}'],
    ['<a><b/><c/><b/></a>', '{"a":{"#content":[{"b":""},{"c":""},{"b":""}]}}'],
    ['<p>some <b>bold</b> text</p>', '{"p":{"#content":["some ",{"b":"bold"}," text"]}}'],
    ['<p>some <b>bold</b></p>', '{"p":{"#text":"some ","b":"bold"}}'],
    ['<v xml:space="preserve"> <l/></v>', '{"v":{"@xml:space":"preserve","#text":" ","l":""}}'],
    ['<x:a xmlns:x="urn:x" x:b="1"/>', '{"x:a":{"@xmlns:x":"urn:x","@x:b":"1"}}'],
    ['<?xml version="1.0"?><!DOCTYPE a><!-- c --><a>1</a>', '{"a":"1"}'],
    ['<a>\r\n1\r</a>', '{"a":"\\n1\\n"}'],
    ['<a b="1\n2&#10;3"/>', '{"a":{"@b":"1 2\\n3"}}'],
  ])('%s', async (xml, json) => {
    expect(await runOnText(xmlToJson, xml, compact)).toBe(json)
  })

  it.each([
    ['<c>\n  <![CDATA[text]]>\n</c>', '{"c":"text"}'],
    ['<a> \t\r\n x y \n</a>', '{"a":"x y"}'],
    ['<a> </a>', '{"a":""}'],
    ['<a i=" 1 "> x </a>', '{"a":{"@i":" 1 ","#text":"x"}}'],
    ['<a>\u00a0x\u00a0</a>', '{"a":"\u00a0x\u00a0"}'],
    ['<a> x <!-- y --> z </a>', '{"a":"x  z"}'],
    ['<p> some <b> bold </b> text </p>', '{"p":{"#content":[" some ",{"b":" bold "}," text "]}}'],
    ['<p>some <b>bold</b></p>', '{"p":{"#text":"some ","b":"bold"}}'],
    ['<v xml:space="preserve"> x </v>', '{"v":{"@xml:space":"preserve","#text":" x "}}'],
    ['<a>\n 5 \n</a>', '{"a":5}'],
  ])('leaves out white space around text if asked: %j', async (xml, json) => {
    expect(await runOnText(xmlToJson, xml, { ...compact, trim: true, types: 'numbers' })).toBe(json)
  })

  it.each([
    ['<d>0E68</d>', '{"d":"0E68"}', '{"d":0E68}'],
    ['<d>08</d>', '{"d":"08"}', '{"d":"08"}'],
    ['<d>+1</d>', '{"d":"+1"}', '{"d":"+1"}'],
    ['<d>1.</d>', '{"d":"1."}', '{"d":"1."}'],
    ['<d>-0</d>', '{"d":"-0"}', '{"d":-0}'],
  ])('makes a number of %s only if asked, spelled as it is', async (xml, strings, numbers) => {
    expect(await runOnText(xmlToJson, xml, compact)).toBe(strings)
    expect(await runOnText(xmlToJson, xml, { ...compact, types: 'numbers' })).toBe(numbers)
  })

  it('has comments and instructions if asked, around the element too', async () => {
    const xml = '<?xml version="1.0"?><?go  now?><!--1--><!--2--><a/><!--3-->'
    const json =
      '{"#content":[{"#pi":"go  now"},{"#comment":"1"},{"#comment":"2"},{"a":""},{"#comment":"3"}]}'
    expect(await runOnText(xmlToJson, xml, { ...compact, comments: true })).toBe(json)
    expect(await runOnText(jsonToXml, json, bare)).toBe('<?go  now?><!--1--><!--2--><a/><!--3-->')
  })

  it('expands no entities but those of XML itself', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    await expect(runOnText(xmlToJson, bomb)).rejects.toMatchObject({
      code: 'xml_entity',
      position: { line: 1 },
    })
    await expect(runOnText(xmlToJson, '<a>&#0;</a>')).rejects.toMatchObject({ code: 'xml_invalid' })
  })

  it.each([
    ['json:type="number">1e<', 'not a JSON number'],
    ['json:type="boolean">yes<', 'neither true nor false'],
    ['json:type="null">x<', 'no text'],
    ['json:type="escaped">\\x<', 'JSON string'],
    ['json:type="date">x<', 'json:type must be'],
    ['json:kind="x">x<', 'json:kind'],
    ['json:key="\\"><', 'json:key'],
    ['json:type="number" x="1">1<', 'no attributes'],
    ['json:type="array">x<b/><', 'between the items'],
    ['json:type="number"><b/><', 'cannot hold elements'],
  ])('refuses wrong marks: %s', async (part, message) => {
    const xml = `<r xmlns:json="urn:snipkeep:json">\n<a ${part}/a></r>`
    await expect(runOnText(xmlToJson, xml)).rejects.toMatchObject({
      code: 'xml_marks',
      message: expect.stringContaining(message),
      position: { line: 2 },
    })
  })

  it('is refused if it would be nested too deep', async () => {
    const mixed = `${'<a>x<b/>y'.repeat(400)}${'</a>'.repeat(400)}`
    await expect(runOnText(xmlToJson, mixed)).rejects.toMatchObject({ code: 'xml_too_deep' })
  })

  it('keeps the order of an element with more different children than it remembers', async () => {
    const names = Array.from({ length: 100_010 }, (_name, at) => `<n${at}/>`)
    const json = await runOnText(xmlToJson, `<a>${names.join('')}<n0/></a>`, compact)
    expect(json.endsWith('{"n100009":""},{"n0":""}]}}')).toBe(true)
  })
})
