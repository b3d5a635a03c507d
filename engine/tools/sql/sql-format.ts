import { z } from 'zod'
import { indentOption } from '../json/layout-options.js'
import { defineTool, sql } from '../tool.js'
import { dialects } from './sql-language.js'

/** SQL in clauses and lines. */
export const sqlFormat = defineTool({
  name: 'sql-format',
  title: 'Format SQL',
  summary: 'Puts the clauses and columns of SQL on lines of their own, indented.',
  input: sql,
  output: sql,
  options: z.strictObject({
    dialect: z
      .enum(dialects)
      .default('sql')
      .meta({ description: 'The language of the database; sql is the standard alone.' }),
    indent: indentOption,
    keyword_case: z
      .enum(['preserve', 'upper', 'lower'])
      .default('preserve')
      .meta({ description: 'How keywords are written; preserve leaves them as they are.' }),
  }),
  keeps: { allBut: ['the case of keywords, if asked', 'white space in comments'] },
  examples: [
    {
      input: "select id, 'a  b' from t where n>=10 -- all\nand x is not null;",
      output: "select\n  id,\n  'a  b'\nfrom\n  t\nwhere\n  n >= 10 -- all\n  and x is not null;\n",
    },
    {
      input: "select data->>'id' from t",
      options: { dialect: 'postgresql', keyword_case: 'upper', indent: '4' },
      output: "SELECT\n    data ->> 'id'\nFROM\n    t\n",
    },
  ],
  load: async () => (await import('./format-sql.js')).formatSql,
})
