function isBlank(line: string, at: number): boolean {
  return line[at] === ' ' || line[at] === '\t'
}

/** Loops, because a regular expression takes quadratic time on long runs of blanks. */
function withoutBlanksBefore(line: string): string {
  let from = 0
  while (isBlank(line, from)) from += 1
  return line.slice(from)
}

function withoutBlanksBehind(line: string): string {
  let to = line.length
  while (isBlank(line, to - 1)) to -= 1
  return line.slice(0, to)
}

/** The text of a scalar of several lines, whose other lines begin at `indent`. */
export function reindented(source: string, indent: number): string {
  if (!source.includes('\n')) return source
  // A space behind a backslash belongs to the text.
  const keepsBlanksBehind = source.startsWith('"')
  const lines = source.split(/\r?\n/)
  const last = lines.length - 1
  return lines
    .map((line, at) => {
      const begun = at === 0 ? line : withoutBlanksBefore(line)
      const text = at === last || keepsBlanksBehind ? begun : withoutBlanksBehind(begun)
      return at > 0 && text !== '' ? ' '.repeat(indent) + text : text
    })
    .join('\n')
}

/** Lines of YAML that are written one part after the other. */
export class YamlLines {
  /** The characters of the line so far. */
  column = 0
  private out = ''
  private taken = 0
  /** Line feeds of the input since the last part. */
  private feeds = 0
  private pendingIndent: number | null = null
  private compactGap: string | null = null
  private isBehindComment = false
  private isEmpty = true

  /** The length of all text written. */
  get length(): number {
    return this.taken + this.out.length
  }

  /** The text written since the last call. */
  take(): string {
    const { out } = this
    this.taken += out.length
    this.out = ''
    return out
  }

  /** A line feed of the input. */
  feed(): void {
    this.feeds += 1
  }

  /** The next part, comments aside, begins a line. */
  breakLine(indent: number): void {
    this.pendingIndent = indent
  }

  /** The next part continues this line, so many characters after its end. */
  goOn(gap: number): void {
    this.compactGap = ' '.repeat(gap)
  }

  /** Where the next part would begin, if it belongs at `indent`. */
  nextColumn(indent: number): number {
    if (this.pendingIndent !== null) return this.pendingIndent
    return this.isBehindComment ? indent : this.column + (this.compactGap ?? ' ').length
  }

  /** Writes a part on this line, or on the next one if it has to be: then at `indent`. */
  put(text: string, indent: number, gap = ' '): void {
    if (this.pendingIndent !== null) this.beginLine(this.pendingIndent)
    else if (this.isBehindComment) this.beginLine(indent)
    else if (this.column > 0) this.write(this.compactGap ?? gap)
    this.write(text)
    this.settle()
  }

  comment(text: string, indent: number): void {
    if (this.feeds > 0 || this.isBehindComment || this.isEmpty) this.beginLine(indent)
    else if (this.column > 0) this.write(' ')
    this.write(text.trimEnd())
    this.feeds = 0
    this.compactGap = null
    this.isBehindComment = true
    this.isEmpty = false
  }

  /** Writes whole lines behind this one. */
  block(lines: string): void {
    this.out += `\n${lines}`
    this.settle()
    this.column = 0
  }

  /** Ends the last line. */
  end(): void {
    if (this.column > 0) this.write('\n')
    this.column = 0
  }

  private settle(): void {
    this.feeds = 0
    this.pendingIndent = null
    this.compactGap = null
    this.isBehindComment = false
    this.isEmpty = false
  }

  private beginLine(indent: number): void {
    if (this.column > 0) this.out += '\n'
    if (this.feeds > 1 && !this.isEmpty) this.out += '\n'
    this.column = 0
    this.write(' '.repeat(indent))
  }

  private write(text: string): void {
    this.out += text
    const feed = text.lastIndexOf('\n')
    this.column = feed < 0 ? this.column + text.length : text.length - feed - 1
  }
}
