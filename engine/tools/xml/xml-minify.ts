import { z } from 'zod'
import { defineTool, xml } from '../tool.js'

/** Removes white space. */
export const xmlMinify = defineTool({
  name: 'xml-minify',
  title: 'Minify XML',
  summary: 'Removes the white space between elements without text beside them, and within tags.',
  input: xml,
  output: xml,
  options: z.strictObject({}),
  keeps: { allBut: ['the encoding that the declaration names, which becomes UTF-8'] },
  examples: [
    {
      input: '<a  x = "1 2" >\n  <b>some <i>mixed</i> text </b>\n  <c> </c>\n</a>\n',
      output: '<a x="1 2"><b>some <i>mixed</i> text </b><c> </c></a>',
    },
  ],
  load: async () => {
    const { rewriteXml } = await import('./rewrite-xml.js')
    return (input) => rewriteXml(input, { indent: null, finalNewline: false })
  },
})
