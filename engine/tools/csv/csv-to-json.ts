import { z } from 'zod'
import { csv, defineTool, json } from '../tool.js'
import {
  commentByte,
  commentOption,
  headerOption,
  inputQuotesOption,
  inputSeparatorOption,
  separatorByte,
  skipOption,
  trimOption,
} from './csv-options.js'

/** Rows to objects or arrays. */
export const csvToJson = defineTool({
  name: 'csv-to-json',
  title: 'CSV to JSON',
  summary: 'Makes an object of each row, or an array where the first row names no columns.',
  input: csv,
  output: json,
  options: z.strictObject({
    separator: inputSeparatorOption,
    header: headerOption,
    quotes: inputQuotesOption,
    trim: trimOption,
    comment: commentOption,
    skip: skipOption,
    types: z.enum(['strings', 'numbers']).default('strings').meta({
      description:
        'Whether every cell becomes a string, or cells without quotes that are spelled like a JSON number become that number, digit by digit.',
    }),
  }),
  keeps: {
    allBut: [
      'quotes that are not needed',
      'line ends',
      'empty lines',
      'the separator',
      'empty cells beyond the header',
      'blanks around cells if trim is on',
      'comments and skipped lines',
    ],
  },
  examples: [
    {
      input: 'id,name,rate\n007,"Ada, Countess",1.50\n12345678901234567890,Grace,2e3\n',
      output:
        '[\n{"id":"007","name":"Ada, Countess","rate":"1.50"},\n{"id":"12345678901234567890","name":"Grace","rate":"2e3"}\n]\n',
    },
    {
      input: 'id;name;rate\r\n007;Ada;1.50\r\n12345678901234567890;"3";-2e3\r\n',
      options: { types: 'numbers' },
      output:
        '[\n{"id":"007","name":"Ada","rate":1.50},\n{"id":12345678901234567890,"name":"3","rate":-2e3}\n]\n',
    },
    {
      input: 'a,b\n1,"say ""hi"""\n',
      options: { header: false },
      output: '[\n["a","b"],\n["1","say \\"hi\\""]\n]\n',
    },
  ],
  load: async () => {
    const { convertCsvToJson } = await import('./convert-csv-to-json.js')
    return (input, { separator, header, quotes, trim, comment, skip, types }) =>
      convertCsvToJson(input, {
        separator: separatorByte(separator),
        isLenient: quotes === 'lenient',
        trims: trim,
        comment: commentByte(comment),
        skippedLines: skip,
        hasHeader: header,
        takesNumbers: types === 'numbers',
      })
  },
})
