import { z } from 'zod'
import { finalNewlineOption, indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool, json, xml } from '../tool.js'

/** XML as objects and strings. */
export const xmlToJson = defineTool({
  name: 'xml-to-json',
  title: 'XML to JSON',
  summary:
    'Makes a member of each element and attribute, and keeps their order; what JSON became XML comes back as it was.',
  input: xml,
  output: json,
  options: z.strictObject({
    types: z.enum(['strings', 'numbers']).default('strings').meta({
      description:
        'Whether all text becomes strings, or text that is spelled like a JSON number becomes that number, digit by digit; a code such as 0E68 is spelled like one, too.',
    }),
    comments: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether comments and processing instructions become members #comment and #pi.' }),
    arrays: z
      .array(z.string().min(1).max(1_000))
      .max(100)
      .default([])
      .meta({ description: 'The names of elements that are in an array even where there is one.' }),
    trim: z.boolean().default(false).meta({
      description:
        'Whether white space around the text of an element is left out; not within mixed content or xml:space="preserve".',
    }),
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
  }),
  keeps: {
    allBut: [
      'which characters are references or CDATA',
      'the document type',
      'white space between elements beside no text',
      'comments and instructions, if not asked for',
    ],
  },
  examples: [
    {
      input:
        '<?xml version="1.0"?>\n<order id="7">\n  <sku>007</sku>\n  <line n="1">a &amp; b</line>\n  <line n="2"/>\n  <note>some <b>mixed</b> text</note>\n</order>\n',
      options: { indent: 'none' },
      output:
        '{"order":{"@id":"7","sku":"007","line":[{"@n":"1","#text":"a & b"},{"@n":"2"}],"note":{"#content":["some ",{"b":"mixed"}," text"]}}}\n',
    },
    {
      input: '<a><!-- note --><b>1.50</b><c>x</c></a>',
      options: { types: 'numbers', comments: true, arrays: ['c'], indent: 'none', final_newline: false },
      output: '{"a":{"#comment":" note ","b":1.50,"c":["x"]}}',
    },
    {
      input:
        '<root xmlns:json="urn:snipkeep:json" json:root="true"><a_b json:key="a b" json:type="null"/></root>',
      options: { indent: 'none', final_newline: false },
      output: '{"a b":null}',
    },
  ],
  load: async () => {
    const { xmlAsJson } = await import('./xml-as-json.js')
    const { rewriteJson } = await import('../json/rewrite-json.js')
    return (input, { indent, final_newline: finalNewline, ...options }) =>
      rewriteJson(xmlAsJson(input, options), { indent: indentOf(indent), finalNewline })
  },
})
