import { formatDialect, mysql, postgresql, sql, transactsql } from 'sql-formatter'

const dialects = [sql, postgresql, mysql, transactsql]

/** Formats SQL in the first dialect that parses it; `null` if none does. No token changes. */
export function formatSql(text: string): string | null {
  for (const dialect of dialects) {
    try {
      const formatted = `${formatDialect(text, { dialect })}\n`
      // Whatever the formatter returns, only white space may differ from what was sent.
      return formatted.replace(/\s+/g, '') === text.replace(/\s+/g, '') ? formatted : null
    } catch {}
  }
  return null
}
