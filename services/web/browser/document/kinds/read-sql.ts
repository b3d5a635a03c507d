import { formatSql } from '#engine/tools/sql/format-sql.js'
import { byteChunks } from '#engine/tools/whole-input.js'
import { content, type KindContent, made, type PartText, withFormatted } from './kind-content.js'

/** SQL as `sql-format` has it in the first of the widespread dialects in which it formats all of it. */
export async function readSql({ bytes }: PartText): Promise<KindContent> {
  for (const dialect of ['sql', 'postgresql', 'mysql', 'transactsql'] as const) {
    let isWhole = true
    const onNote = (): void => {
      isWhole = false
    }
    const options = { dialect, indent: '2', keyword_case: 'preserve' } as const
    const formatted = await made(formatSql(byteChunks(bytes), options, onNote))
    if (isWhole && typeof formatted !== 'string') return withFormatted('sql', formatted)
  }
  return content('sql', {})
}
