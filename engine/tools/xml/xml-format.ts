import { z } from 'zod'
import { finalNewlineOption, indentOf, indentOption } from '../json/layout-options.js'
import { defineTool, xml } from '../tool.js'

/** Indents. */
export const xmlFormat = defineTool({
  name: 'xml-format',
  title: 'Format XML',
  summary: 'Puts each element without text beside it on a line of its own, indented.',
  input: xml,
  output: xml,
  options: z.strictObject({ indent: indentOption, final_newline: finalNewlineOption }),
  keeps: { allBut: ['the encoding that the declaration names, which becomes UTF-8'] },
  examples: [
    {
      input:
        '<a  x="1"   y=\'&amp;\'><b>some <i>mixed</i> text</b><c/><!-- note --><d><![CDATA[ <x> ]]></d></a>',
      output:
        '<a x="1" y=\'&amp;\'>\n  <b>some <i>mixed</i> text</b>\n  <c/>\n  <!-- note -->\n  <d><![CDATA[ <x> ]]></d>\n</a>\n',
    },
  ],
  load: async () => {
    const { rewriteXml } = await import('./rewrite-xml.js')
    return (input, { indent, final_newline: finalNewline }) =>
      rewriteXml(input, { indent: indentOf(indent), finalNewline })
  },
})
