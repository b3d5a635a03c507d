import { z } from 'zod'
import { csv, defineTool, json } from '../tool.js'
import { guardOption, lineEndOption, quotesOption, separatorByte, separatorOption } from './csv-options.js'

/** Objects or arrays to rows. */
export const jsonToCsv = defineTool({
  name: 'json-to-csv',
  title: 'JSON to CSV',
  summary:
    'Makes a row of each object or array in an array; columns are in the order of their first appearance.',
  input: json,
  output: csv,
  options: z.strictObject({
    rows: z.enum(['items', 'members']).default('items').meta({
      description:
        'What becomes a row: the items of an array (a single object is one), or the members of an object, whose keys become the column key.',
    }),
    nested: z.enum(['json', 'dots', 'pointers']).default('json').meta({
      description:
        'What becomes of objects and arrays within a row: a cell of JSON, or columns of their own, named like a.b or /a/b.',
    }),
    nulls: z.enum(['empty', 'text']).default('empty').meta({
      description: 'Whether null becomes an empty cell or the word null.',
    }),
    header: z.boolean().default(true).meta({ description: 'Whether the first row names the columns.' }),
    separator: separatorOption,
    quotes: quotesOption,
    line_end: lineEndOption,
    guard: guardOption,
  }),
  keeps: {
    allBut: [
      'the types of values',
      'the difference of missing, null and empty',
      'the spelling of escapes',
      'half of a surrogate pair (U+FFFD)',
    ],
  },
  examples: [
    {
      input: '[{"id":12345678901234567890,"tags":["a","b"]},{"id":1.50,"name":"Ada, \\"Countess\\""}]',
      output: 'id,tags,name\n12345678901234567890,"[""a"",""b""]",\n1.50,,"Ada, ""Countess"""\n',
    },
    {
      input: '[{"a":{"b":1,"c":[true,null]}},{"a":{"c":[]}}]',
      options: { nested: 'dots' },
      output: 'a.b,a.c.0,a.c.1,a.c\n1,true,,\n,,,[]\n',
    },
    {
      input: '{"7":{"name":"Ada","rate":1.50},"8":{"name":"Fred"}}',
      options: { rows: 'members' },
      output: 'key,name,rate\n7,Ada,1.50\n8,Fred,\n',
    },
    {
      input: '[["=1+1",-1],["x",2.0]]',
      options: { guard: true, separator: 'semicolon' },
      output: "'=1+1;-1\nx;2.0\n",
    },
  ],
  load: async () => {
    const { convertJsonToCsv } = await import('./convert-json-to-csv.js')
    return (input, options) =>
      convertJsonToCsv(input, {
        rows: options.rows,
        nested: options.nested,
        writesNull: options.nulls === 'text',
        writesHeader: options.header,
        style: {
          separator: separatorByte(options.separator),
          quotesAll: options.quotes === 'all',
          guardsFormulas: options.guard,
          endsWithCrlf: options.line_end === 'crlf',
        },
      })
  },
})
