import {
  beginsBlock,
  type ClientCommands,
  clientCommands,
  delimiterSet,
  hasCopyData,
  hasInlineData,
  isVerbatim,
} from './client-commands.js'
import { likeMysql, type SqlLanguage } from './sql-language.js'
import { SqlLexer, type SqlToken } from './sql-tokens.js'

/** A part of a script: SQL to format, or what stays as it is. */
export interface ScriptPart {
  readonly isSql: boolean
  readonly text: string
  readonly start: number
  /** What stands between it and the part before: nothing or a space only if both are on one line. */
  readonly gap: '' | ' ' | '\n'
}

const lineEnd = /[ \t\r]*(?:\n|$)/y

/** Reads a script statement by statement, as the clients of its dialect do. */
class ScriptReader {
  private readonly text: string
  private readonly language: SqlLanguage
  private readonly lexer: SqlLexer
  private readonly commands: ClientCommands
  private readonly parts: ScriptPart[] = []
  /** Where the SQL begins that is not in a part yet, and the statement; -1 before its first token. */
  private from = 0
  private statementStart = -1
  /** Where what was read last ends. */
  private readEnd = 0
  private words: string[] = []
  private depth = 0
  private isInBlock = false
  private isVerbatim = false

  constructor(text: string, language: SqlLanguage, delimiter: string) {
    this.text = text
    this.language = language
    this.lexer = new SqlLexer(text, language)
    this.lexer.delimiter = delimiter
    this.commands = clientCommands(language.dialect)
  }

  read(): readonly ScriptPart[] {
    const { text, lexer } = this
    for (let at = lexer.afterSpace(0); at < text.length; at = lexer.afterSpace(at)) {
      const command = this.commandEnd(at)
      at = command > at ? this.takeCommand(at, command) : this.take(lexer.tokenAt(at))
      this.readEnd = at
    }
    if (this.isVerbatim) this.keep(this.statementStart, text.length)
    this.endSql(text.length)
    return this.parts
  }

  private isLineStart(at: number): boolean {
    return this.readEnd === 0 || this.text.slice(this.readEnd, at).includes('\n')
  }

  private endSql(at: number): void {
    const text = this.text.slice(this.from, at)
    if (text.trim() !== '') this.parts.push({ isSql: true, text, start: this.from, gap: '\n' })
    this.from = at
  }

  /** Keeps a range as it is, and ends the SQL before it. */
  private keep(start: number, end: number): void {
    const { text, from } = this
    this.endSql(start)
    const between = text.slice(text.slice(0, start).trimEnd().length, start)
    const isAlone =
      start === 0 || between.includes('\n') || (from === 0 && text.slice(0, start).trim() === '')
    const lineStart = isAlone ? Math.max(from, text.lastIndexOf('\n', start - 1) + 1) : start
    const kept = text.slice(lineStart, end).replace(/\r?\n?$/, '')
    this.parts.push({ isSql: false, text: kept, start, gap: isAlone ? '\n' : between === '' ? '' : ' ' })
    this.from = end
  }

  private endStatement(): void {
    this.statementStart = -1
    this.words = []
    this.depth = 0
    this.isInBlock = false
    this.isVerbatim = false
  }

  private commandEnd(at: number): number {
    const { onLine, atStatement, anywhere } = this.commands
    const match = (pattern: RegExp | null): number => {
      if (pattern === null) return at
      pattern.lastIndex = at
      return pattern.test(this.text) ? pattern.lastIndex : at
    }
    const end = match(anywhere)
    if (end > at || !this.isLineStart(at)) return end
    const lineEnd = match(onLine)
    if (lineEnd > at || this.statementStart >= 0) return lineEnd
    const commandEnd = match(atStatement)
    const command = this.text.slice(at, commandEnd)
    const isStatement =
      likeMysql.has(this.language.dialect) &&
      delimiterSet(command) === null &&
      command.includes(this.lexer.delimiter)
    return isStatement ? at : commandEnd
  }

  private takeCommand(at: number, end: number): number {
    const command = this.text.slice(at, end)
    const hasData = /^\\copy\b.*\bfrom\s+(?:stdin|pstdin)\b/i.test(command)
    const dataEnd = hasData && !/\bpstdin\b/i.test(command) ? this.dataEnd(end) : end
    this.keep(at, dataEnd)
    this.endStatement()
    this.lexer.delimiter = delimiterSet(command) ?? this.lexer.delimiter
    return dataEnd
  }

  /** The end of the lines of data after `at`: a line `\.` is the last one. */
  private dataEnd(at: number): number {
    const last = /^\\\.[ \t]*\r?$/gm
    last.lastIndex = at
    return last.test(this.text) ? last.lastIndex : this.text.length
  }

  /** Takes a token, and returns where to go on. */
  private take(token: SqlToken): number {
    const { lexer, language, text } = this
    const end = token.index + token.text.length
    if (token.kind === 'comment') return end
    if (token.kind === 'tag' && this.depth === 0) {
      const tagsEnd = this.tagLineEnd(token)
      if (tagsEnd > token.index) {
        this.keep(token.index, tagsEnd)
        return tagsEnd
      }
    }
    if (token.kind === 'mark' && token.text === lexer.delimiter && !this.isInBlock) return this.endAt(end)
    if (this.statementStart < 0) {
      this.statementStart = token.index
      this.isInBlock = beginsBlock(text, token.index, language.dialect)
      this.isVerbatim = isVerbatim(text, token.index, language.dialect)
    }
    if (token.kind === 'word') {
      const word = token.text.toLowerCase()
      if (this.words.length < 4096) this.words.push(word)
      if (hasInlineData(this.words, language.dialect)) {
        this.keep(this.statementStart, text.length)
        return text.length
      }
      this.nest(word === 'case', word === 'end')
    }
    this.nest(token.text === '(', token.text === ')')
    return end
  }

  private nest(opens: boolean, closes: boolean): void {
    if (opens) this.depth += 1
    else if (closes) this.depth = Math.max(0, this.depth - 1)
  }

  /** Ends the statement with its delimiter, which ends at `end`. */
  private endAt(end: number): number {
    const { lexer, text } = this
    let next = end
    if (this.isVerbatim) this.keep(this.statementStart, end)
    else if (lexer.delimiter !== ';') this.keep(end - lexer.delimiter.length, end)
    else if (hasCopyData(this.words, this.language.dialect)) {
      this.endSql(end)
      const lineEnd = text.indexOf('\n', end)
      const data = lineEnd < 0 ? text.length : lineEnd + 1
      next = this.dataEnd(data)
      if (next > data) {
        this.parts.push({
          isSql: false,
          text: text.slice(end, next).replace(/^[ \t\r]*\n|\n$/g, ''),
          start: data,
          gap: '\n',
        })
      }
      this.from = next
    }
    this.endStatement()
    return next
  }

  /** Where the line ends that has only tags, of which `tag` is the first; its start if it is no such line. */
  private tagLineEnd(tag: SqlToken): number {
    const { lexer, text } = this
    if (!this.isLineStart(tag.index)) return tag.index
    let end = tag.index
    for (let token = tag; token.kind === 'tag'; token = lexer.tokenAt(end)) {
      const isStatement = /^\{[%#]/.test(token.text) || this.statementStart < 0
      if (!isStatement) return tag.index
      end = token.index + token.text.length
      lineEnd.lastIndex = end
      if (lineEnd.test(text)) return end
      end = lexer.afterSpace(end)
      if (end >= text.length) break
    }
    return tag.index
  }
}

/** The SQL of a script, and between it what clients and template engines read, in turn. */
export function scriptParts(text: string, language: SqlLanguage, delimiter = ';'): readonly ScriptPart[] {
  return new ScriptReader(text, language, delimiter).read()
}
