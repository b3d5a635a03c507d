import { describe, expect, it } from 'vitest'
import { seededRandom } from '#libs/testing/random.js'
import { randomXmlElement, xmlEssence } from '../testing/random-xml.js'
import { runOnText } from '../testing/run-tool.js'
import { xmlFormat } from './xml-format.js'
import { xmlMinify } from './xml-minify.js'
import { xmlToJson } from './xml-to-json.js'

describe('rewriting XML', () => {
  it('keeps everything but white space that means nothing, and comes back', async () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const random = seededRandom(seed)
      const head = random.pick(['', '<?xml version="1.0"?>\n', '<!DOCTYPE a [<!ENTITY own "x > y">]>'])
      const xml = head + randomXmlElement(random, 4, ['&own;'])
      const formatted = await runOnText(xmlFormat, xml, { indent: random.pick(['1', '4', 'tab']) })
      const small = await runOnText(xmlMinify, xml)
      expect(xmlEssence(formatted)).toBe(xmlEssence(xml))
      expect(xmlEssence(small)).toBe(xmlEssence(xml))
      expect(await runOnText(xmlMinify, formatted), xml).toBe(small)
      expect(await runOnText(xmlFormat, formatted, {})).toBe(await runOnText(xmlFormat, small, {}))
    }
  })

  it('leaves an element that has text of its own as it is, and all within it', async () => {
    const mixed = '<p>  some <b> <i>mixed</i>  </b>\n text </p>'
    expect(await runOnText(xmlMinify, `<a>\n ${mixed}\n</a>`)).toBe(`<a>${mixed}</a>`)
    const poem = '<v xml:space="preserve">\n  <l/>\n</v>'
    expect(await runOnText(xmlFormat, `<a>${poem}</a>`, {})).toBe(`<a>\n  ${poem}\n</a>\n`)
  })

  it('never expands an entity', async () => {
    const bomb = Array.from({ length: 40 }, (_entity, at) => `<!ENTITY e${at + 1} "&e${at};&e${at};">`).join(
      '',
    )
    const xml = `<!DOCTYPE a [<!ENTITY e0 SYSTEM "file:///etc/passwd">${bomb}]><a>&e40;</a>`
    expect(await runOnText(xmlMinify, xml)).toBe(xml)
  })

  it.each([
    ['', 'The text holds no element.', 1, 1],
    ['<a>\n<b></a>', 'Expected </b>, found </a>.', 2, 4],
    ['<a></a></b>', 'No element is open that </b> could close.', 1, 8],
    ['<a>', 'The text ends before the element a is closed.', 1, 1],
    ['<a/><b/>', 'A document has one element that holds all others.', 1, 5],
    ['x<a/>', 'Text must stand in an element.', 1, 1],
    ['<a b=1/>', 'The value of an attribute needs quotes.', 1, 6],
    ['<a b/>', 'Expected = and a value after the name of the attribute.', 1, 5],
    ['<a b="1"c="2"/>', 'Expected white space, > or />.', 1, 9],
    ['<a b="1" b="2"/>', 'The tag has b twice.', 1, 10],
    ['<a b="<"/>', 'Write &lt; for < in the value of an attribute.', 1, 7],
    ['<a>é & b</a>', 'Write &amp; for & itself.', 1, 6],
    ['<a>]]></a>', 'Text cannot hold ]]>; write ]]&gt;.', 1, 4],
    ['<a><!-- a -- b --></a>', 'A comment cannot hold --.', 1, 11],
    ['<a><![CDATA[</a>', 'The text ends before ]]>, which ends what begins here.', 1, 4],
    ['<1/>', 'A tag needs a name, which begins with a letter.', 1, 2],
    ['<a>\u0000</a>', 'XML cannot hold this character.', 1, 4],
    [' <?xml version="1.0"?><a/>', 'The XML declaration comes first, without white space before it.', 1, 2],
    ['<?XML version="1.0"?><a/>', 'Write xml in small letters in the XML declaration.', 1, 3],
    ['<a><?a+++?></a>', 'Expected white space or ?> after the name of the instruction.', 1, 7],
    ['<a>\n&#5;</a>', 'XML cannot hold the character &#5;', 2, 1],
    ['<a b="&#xFFFF;"/>', 'XML cannot hold the character &#xFFFF;', 1, 7],
    ['<a>&#xD800;</a>', 'XML cannot hold the character &#xD800;', 1, 4],
    ['<a>&#00000000000000001114112;</a>', 'XML cannot hold the character &#00000000000000001114112;', 1, 4],
    ['<a>&#X41;</a>', 'Write &amp; for & itself.', 1, 4],
    ['<a/><!DOCTYPE a>', 'The document type comes first, and once.', 1, 5],
    ['<!DOCTYPE a [<a/>', 'The document type does not end within 65536 characters.', 1, 1],
    ['<a', 'The text ends within this tag.', 1, 1],
  ])('%j is refused with its position', async (xml, message, line, column) => {
    const failure = runOnText(xmlMinify, xml)
    await expect(failure).rejects.toMatchObject({ code: 'xml_invalid', message, position: { line, column } })
  })

  it.each([
    ['<?xml?>'],
    ['<?xml version="2.0"?>'],
    ['<?xml version="1.0" encoding=" utf-8"?>'],
    ['<?xml version="1.0"encoding="utf-8"?>'],
    [`<?xml version="1.0" standalone='yes"?>`],
    ['<?xml version="1.0" standalone="maybe"?>'],
    ['<?xml encoding="UTF-8"?>'],
    ['<?xml version="1.0" standalone="yes" encoding="UTF-8"?>'],
    ['<?xml version="1.0" more="1"?>'],
  ])('refuses the declaration %s', async (declaration) => {
    for (const tool of [xmlFormat, xmlMinify, xmlToJson])
      await expect(runOnText(tool, `${declaration}<a/>`)).rejects.toMatchObject({
        code: 'xml_invalid',
        message: expect.stringContaining('The XML declaration must be like'),
        position: { line: 1, column: 1 },
      })
  })

  it.each([
    ['UTF-16', 'a'],
    ['UTF-16', 'é'],
    ['ISO-8859-1', 'é'],
    ['EBCDIC-CP-US', 'a'],
  ])('refuses text of UTF-8 that is declared to be %s: %s', async (encoding, text) => {
    const xml = `<?xml version="1.0"\nencoding='${encoding}'?><a>${text}</a>`
    for (const tool of [xmlFormat, xmlMinify, xmlToJson])
      await expect(runOnText(tool, xml)).rejects.toMatchObject({
        code: 'encoding_unclear',
        message: expect.stringContaining(`says ${encoding}`),
        position: { line: 2, column: 11 },
      })
  })

  it.each([
    `<?xml version = '1.1'\tencoding="utf-8" standalone='no' ?><a>é</a>`,
    '<?xml version="1.0"?><?xml-stylesheet href="a"?><?b?><a>&#0000000009;&#x00000000A;</a>',
  ])('takes %j', async (xml) => {
    expect(await runOnText(xmlMinify, xml)).toBe(xml)
  })

  it('refuses a tag with more attributes than anyone means, and says where in a long line', async () => {
    const names = Array.from({ length: 10_001 }, (_name, at) => ` é${at}=""`).join('')
    const xml = `<a>${'é😀'.repeat(100_000)}<b${names}/></a>`
    const failure = runOnText(xmlMinify, xml)
    const before = xml.slice(0, xml.indexOf('é10000='))
    const [offset, column] = [Buffer.byteLength(before), Array.from(before).length + 1]
    await expect(failure).rejects.toMatchObject({
      code: 'xml_invalid',
      position: { offset, line: 1, column },
    })
  })

  it('refuses elements that are nested too deep', async () => {
    const failure = runOnText(xmlMinify, '<a>'.repeat(100_000))
    await expect(failure).rejects.toMatchObject({ code: 'xml_too_deep' })
  })
})
