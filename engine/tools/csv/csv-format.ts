import { z } from 'zod'
import { csv, defineTool } from '../tool.js'
import {
  commentByte,
  commentOption,
  guardOption,
  headerOption,
  inputQuotesOption,
  inputSeparatorOption,
  lineEndOption,
  quotesOption,
  separatorByte,
  separatorOption,
  skipOption,
  trimOption,
} from './csv-options.js'

/** Writes CSV in another style. */
export const csvFormat = defineTool({
  name: 'csv-format',
  title: 'Format CSV',
  summary:
    'Writes CSV with another separator, other quotes or line ends, or some of its columns in another order.',
  input: csv,
  output: csv,
  options: z.strictObject({
    from: inputSeparatorOption,
    from_quotes: inputQuotesOption,
    trim: trimOption,
    comment: commentOption,
    skip: skipOption,
    separator: separatorOption,
    quotes: quotesOption,
    line_end: lineEndOption,
    header: headerOption,
    columns: z.array(z.string().max(1_000)).max(1_000).default([]).meta({
      description:
        'The columns wanted, in their order, by name, or by number from 1 where the first row names none; none for all.',
    }),
    guard: guardOption,
  }),
  keeps: {
    allBut: [
      'quotes',
      'separators',
      'line ends',
      'empty lines',
      'empty cells beyond the header',
      'columns not chosen',
      'guarded cells if guard is on',
      'blanks around cells if trim is on',
      'comments and skipped lines',
    ],
  },
  examples: [
    { input: 'a;b\r\n"1";"x,y"\r\n', output: 'a,b\n1,"x,y"\n' },
    {
      input: 'id,name,sum\n1,Ada,=1+1\n2,"Grace ""H""",-5\n',
      options: { columns: ['sum', 'name'], guard: true, quotes: 'all' },
      output: '"sum","name"\n"\'=1+1","Ada"\n"-5","Grace ""H"""\n',
    },
  ],
  load: async () => {
    const { formatCsv } = await import('./format-csv.js')
    return (input, options) =>
      formatCsv(input, {
        from: {
          separator: separatorByte(options.from),
          isLenient: options.from_quotes === 'lenient',
          trims: options.trim,
          comment: commentByte(options.comment),
          skippedLines: options.skip,
        },
        hasHeader: options.header,
        columns: options.columns,
        style: {
          separator: separatorByte(options.separator),
          quotesAll: options.quotes === 'all',
          guardsFormulas: options.guard,
          endsWithCrlf: options.line_end === 'crlf',
          comment: commentByte(options.comment),
        },
      })
  },
})
