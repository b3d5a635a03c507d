import type { OutputBuffer } from '../output-buffer.js'

/** How CSV is written. */
export interface CsvStyle {
  readonly separator: number
  readonly quotesAll: boolean
  readonly guardsFormulas: boolean
  readonly endsWithCrlf: boolean
  /** What begins comments for those who read it: a row that begins with it gets quotes. */
  readonly comment?: number | undefined
}

const doubleQuote = 0x22
const apostrophe = 0x27
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** The first characters of cells that spreadsheets run (OWASP, CSV injection). */
const formulaStarts: ReadonlySet<number | undefined> = new Set([0x3d, 0x2b, 0x2d, 0x40, 0x09, carriageReturn])

/** Writes rows of CSV. */
export class CsvWriter {
  private readonly out: OutputBuffer
  private readonly style: CsvStyle
  /** 1 for each byte that a cell without quotes cannot have. */
  private readonly needsQuotes = new Uint8Array(256)
  private cells = 0
  private isLastEmpty = false

  constructor(out: OutputBuffer, style: CsvStyle) {
    this.out = out
    this.style = style
    for (const byte of [doubleQuote, lineFeed, carriageReturn, style.separator]) this.needsQuotes[byte] = 1
  }

  /** Writes what a cell says, in UTF-8. Numbers are no formulas, whatever they begin with. */
  cell(bytes: Uint8Array, start: number, end: number, isNumber: boolean): void {
    const { out, style, needsQuotes } = this
    if (this.cells > 0) out.put(style.separator)
    this.cells += 1
    const isGuarded = style.guardsFormulas && !isNumber && start < end && formulaStarts.has(bytes[start])
    let special = start
    while (special < end && needsQuotes[bytes[special] as number] === 0) special += 1
    const isComment = this.cells === 1 && !isGuarded && start < end && bytes[start] === style.comment
    const isQuoted = style.quotesAll || isComment || special < end
    this.isLastEmpty = start === end && !isQuoted
    if (isQuoted) out.put(doubleQuote)
    if (isGuarded) out.put(apostrophe)
    let from = start
    for (let at = special; at < end; at += 1) {
      if (bytes[at] !== doubleQuote) continue
      out.putRange(bytes, from, at + 1)
      out.put(doubleQuote)
      from = at + 1
    }
    out.putRange(bytes, from, end)
    if (isQuoted) out.put(doubleQuote)
  }

  endRow(): void {
    const { out } = this
    // A line without anything would be no row.
    if (this.cells === 1 && this.isLastEmpty) {
      out.put(doubleQuote)
      out.put(doubleQuote)
    }
    if (this.style.endsWithCrlf) out.put(carriageReturn)
    out.put(lineFeed)
    this.cells = 0
  }
}
