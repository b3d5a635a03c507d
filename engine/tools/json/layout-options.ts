import { z } from 'zod'

const indents = ['1', '2', '3', '4', '5', '6', '7', '8', 'tab'] as const

/** How far each level is indented. */
export const indentOption = z
  .enum(indents)
  .default('2')
  .meta({ description: 'The spaces of each level, or a tab.' })

/** `indentOption`, with all on one line as another choice and the default. */
export const optionalIndentOption = z
  .enum(['none', ...indents])
  .default('none')
  .meta({ description: 'The spaces of each level, or a tab; none writes everything on one line.' })

/** What happens to comments, and to a comma after the last item or member, where the output can hold them. */
export const commentsOption = z.enum(['refuse', 'drop', 'keep']).default('refuse').meta({
  description:
    'What happens to comments and to commas after the last item or member (JSONC): refuse, drop, or keep, which makes JSONC.',
})

/** `commentsOption` for outputs without comments. */
export const droppedCommentsOption = z.enum(['refuse', 'drop']).default('refuse').meta({
  description:
    'What happens to comments and to commas after the last item or member (JSONC): refuse or drop.',
})

/** Whether the output ends like a line of a file. */
export const finalNewlineOption = z
  .boolean()
  .default(true)
  .meta({ description: 'Whether the output ends with a line feed.' })

/** The indent of each level; `null` for none. */
export function indentOf(option: z.output<typeof optionalIndentOption>): string | null {
  if (option === 'none') return null
  return option === 'tab' ? '\t' : ' '.repeat(Number(option))
}
