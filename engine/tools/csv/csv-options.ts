import { z } from 'zod'
import { commentPattern, skippedLinesMax } from '../../csv/line-skipper.js'

const separators = ['comma', 'semicolon', 'tab', 'bar'] as const

const separatorBytes: Readonly<Record<(typeof separators)[number], number>> = {
  comma: 0x2c,
  semicolon: 0x3b,
  tab: 0x09,
  bar: 0x7c,
}

/** The byte that this option means; `null` where it is to be found out. */
export function separatorByte(option: (typeof separators)[number]): number
export function separatorByte(option: 'auto' | (typeof separators)[number]): number | null
export function separatorByte(option: 'auto' | (typeof separators)[number]): number | null {
  return option === 'auto' ? null : separatorBytes[option]
}

/** The separator of the input's cells. */
export const inputSeparatorOption = z
  .enum(['auto', ...separators])
  .default('auto')
  .meta({
    description:
      'What separates the cells of the input; auto finds it in the first rows, or refuses input in which it is unclear.',
  })

/** The separator of the output's cells. */
export const separatorOption = z
  .enum(separators)
  .default('comma')
  .meta({ description: 'What separates the cells of the output.' })

/** Which cells are in quotes. */
export const quotesOption = z
  .enum(['minimal', 'all'])
  .default('minimal')
  .meta({ description: 'Whether all cells are in quotes, or only those that need them.' })

/** The line end of rows. */
export const lineEndOption = z
  .enum(['lf', 'crlf'])
  .default('lf')
  .meta({ description: 'What ends each row: a line feed, or a carriage return and a line feed.' })

/** Whether spreadsheets are kept from running cells. */
export const guardOption = z.boolean().default(false).meta({
  description:
    "Puts ' before each cell that a spreadsheet would run as a formula: one that begins with =, +, -, @, a tab or a carriage return, and is not a number.",
})

/** Whether the first row names the columns. */
export const headerOption = z
  .boolean()
  .default(true)
  .meta({ description: 'Whether the first row of the input names the columns.' })

/** What becomes of cells whose quotes are wrong. */
export const inputQuotesOption = z.enum(['strict', 'lenient']).default('strict').meta({
  description:
    'Whether cells whose quotes are wrong are refused (a quote that is never closed, a character after a closing quote, a quote after a blank), or kept to the letter with their quotes.',
})

/** What begins comments. */
export const commentOption = z
  .string()
  .refine((text) => text === '' || commentPattern.test(text), {
    error: 'must be one character of ASCII that is no letter, digit, blank or quote',
  })
  .default('')
  .meta({
    description: 'The character, such as #, that begins lines that are no rows; none for input without such.',
  })

/** How many lines precede the table. */
export const skipOption = z.int().min(0).max(skippedLinesMax).default(0).meta({
  description: 'How many lines at the beginning of the input are left out, as those above a report.',
})

/** The byte that begins comments. */
export function commentByte(option: string): number | undefined {
  return option === '' ? undefined : option.charCodeAt(0)
}

/** Whether blanks around cells count. */
export const trimOption = z.boolean().default(false).meta({
  description: 'Drops blanks around the cells of the input, outside their quotes.',
})
