import { z } from 'zod'

/** What of an input is described. */
export const samplesOption = z.enum(['document', 'items', 'lines']).default('document').meta({
  description:
    'What is described: the document; each item of its array; or each value of NDJSON, where every line is one.',
})

/** What of an input is described. */
export type Samples = z.output<typeof samplesOption>

/** Whether few different strings are all that there may be. */
export const enumsOption = z.boolean().default(false).meta({
  description: 'Whether strings of at most ten values, each twice on average, are listed as the only ones.',
})
