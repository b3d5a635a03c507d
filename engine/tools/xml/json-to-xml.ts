import { z } from 'zod'
import { finalNewlineOption, indentOf, optionalIndentOption } from '../json/layout-options.js'
import { defineTool, json, xml } from '../tool.js'

/** Objects and arrays as elements. */
export const jsonToXml = defineTool({
  name: 'json-to-xml',
  title: 'JSON to XML',
  summary:
    'Makes an element of each member; attributes in a namespace of their own say what elements alone would not.',
  input: json,
  output: xml,
  options: z.strictObject({
    root: z
      .string()
      .regex(/^[A-Za-z_][\w.-]{0,99}$/, { error: 'must be a name of an element, without a prefix' })
      .default('root')
      .meta({ description: 'The element that holds what is not an object of one member.' }),
    marks: z.boolean().default(true).meta({
      description:
        'Whether attributes such as json:type say what else would be lost, so that xml-to-json gives back the same.',
    }),
    declaration: z.boolean().default(true).meta({ description: 'Whether the output begins with <?xml …?>.' }),
    indent: optionalIndentOption.default('2'),
    final_newline: finalNewlineOption,
  }),
  keeps: {
    allBut: ['which characters of a string are written as escapes', 'types and single items, without marks'],
  },
  examples: [
    {
      input: '{"order":{"@id":"7","sku":"007","line":[{"@n":"1","#text":"a & b"},{"@n":"2"}]}}',
      output:
        '<?xml version="1.0" encoding="UTF-8"?>\n<order id="7">\n  <sku>007</sku>\n  <line n="1">a &amp; b</line>\n  <line n="2"/>\n</order>\n',
    },
    {
      input: '{"n":[1.50],"a b":null,"s":"x"}',
      options: { root: 'data' },
      output:
        '<?xml version="1.0" encoding="UTF-8"?>\n<data xmlns:json="urn:snipkeep:json" json:root="true">\n  <n json:array="true" json:type="number">1.50</n>\n  <a_b json:key="a b" json:type="null"/>\n  <s>x</s>\n</data>\n',
    },
    {
      input: '{"n":[1.50],"a b":null}',
      options: { marks: false, declaration: false, indent: 'none', final_newline: false },
      output: '<root><n>1.50</n><a_b/></root>',
    },
  ],
  load: async () => {
    const { convertJsonToXml } = await import('./convert-json-to-xml.js')
    return (input, { indent, final_newline: finalNewline, ...options }) =>
      convertJsonToXml(input, { ...options, indent: indentOf(indent), finalNewline })
  },
})
