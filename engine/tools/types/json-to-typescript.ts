import { z } from 'zod'
import { defineTool, json, typeScript } from '../tool.js'
import { enumsOption, samplesOption } from './sample-options.js'

/** Types of samples. */
export const jsonToTypescript = defineTool({
  name: 'json-to-typescript',
  title: 'JSON to TypeScript',
  summary: 'Writes TypeScript types of the input: a name for each object, unions, and optional members.',
  input: json,
  output: typeScript,
  options: z.strictObject({
    name: z
      .string()
      .regex(/^[A-Z][A-Za-z0-9_]{0,99}$/, { error: 'must be a name that begins with a capital letter' })
      .default('Root')
      .meta({ description: 'The name of the type of the document, or of each sample.' }),
    declare: z
      .enum(['interface', 'type'])
      .default('interface')
      .meta({ description: 'Whether objects are interfaces or type aliases.' }),
    readonly: z.boolean().default(false).meta({ description: 'Whether members and arrays are read-only.' }),
    samples: samplesOption,
    enums: enumsOption,
  }),
  keeps: { allBut: ['everything but keys and types'] },
  examples: [
    {
      input: '{"id":1,"items":[{"sku":"a","n":2},{"sku":"b","n":null,"big-note":true}],"meta":{}}',
      output:
        'export interface Root {\n  id: number\n  items: Item[]\n  meta: { [key: string]: never }\n}\n\nexport interface Item {\n  sku: string\n  n: number | null\n  "big-note"?: boolean\n}\n',
    },
    {
      input: '[{"state":"on"},{"state":"off"},{"state":"on"},{"state":"off"}]',
      options: { name: 'Device', samples: 'items', declare: 'type', readonly: true, enums: true },
      output: 'export type Device = {\n  readonly state: "on" | "off"\n}\n',
    },
  ],
  load: async () => (await import('./write-typescript.js')).writeTypeScript,
})
