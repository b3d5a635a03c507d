import { CsvReader } from '../../csv/csv-reader.js'
import { declaredSeparator, findSeparator, sampleBytes, separatorUnclear } from '../../csv/find-separator.js'
import { LineSkipper } from '../../csv/line-skipper.js'
import { joinBytes } from '../../join-bytes.js'
import { markLength } from '../../mark-length.js'
import type { OutputBuffer } from '../output-buffer.js'
import { utf8Input } from '../utf8-input.js'

/** A line such as `sep=;` is shorter. */
const firstLineBytes = 16

/** How the input is read. */
export interface CsvInput {
  /** `null` where it is to be found. */
  readonly separator: number | null
  readonly isLenient: boolean
  readonly trims: boolean
  /** What begins lines that are no rows. */
  readonly comment: number | undefined
  /** How many lines precede the table. */
  readonly skippedLines: number
}

/** Converts each row, and writes to the output. */
export interface RowConverter {
  row(reader: CsvReader): void
  end(): void
}

/** The reader of an input that begins like this behind what was skipped, and where the first record begins. */
function readerOf(
  head: Uint8Array,
  { separator, skippedLines, ...reading }: CsvInput,
  skippedBytes: number,
): readonly [CsvReader, number] {
  const mark = markLength(head)
  const declared = declaredSeparator(head, mark)
  const found = separator === null ? findSeparator(head, reading.comment) : { separator, candidates: [] }
  if (found.separator === null)
    throw separatorUnclear(found.candidates, 'Name the separator, or begin with a line such as "sep=;".')
  const from = declared?.end ?? mark
  const start = { offset: skippedBytes + from, line: skippedLines + (declared === null ? 1 : 2) }
  return [new CsvReader({ separator: found.separator, keeps: 'texts', ...reading, start }), from]
}

/**
 * Reads CSV row by row and yields what the converter writes to `out`.
 * @throws ToolInputError with its place where a quote is wrong; `csv_separator_unclear` where there is no evidence.
 */
export async function* convertRows(
  input: AsyncIterable<Uint8Array>,
  options: CsvInput,
  out: OutputBuffer,
  converter: RowConverter,
): AsyncGenerator<Uint8Array> {
  const headBytes = options.separator === null ? sampleBytes + 1 : firstLineBytes
  let reader: CsvReader | null = null
  const head: Uint8Array[] = []
  let headLength = 0
  const skipper = new LineSkipper(options.skippedLines)

  /** A short row may make much output, such as objects with long keys: it leaves before the next row is read. */
  function* readChunk(rows: CsvReader, chunk: Uint8Array): Generator<Uint8Array> {
    for (let at = 0; at < chunk.length; ) {
      at = rows.read(chunk, at)
      if (!rows.hasRow) continue
      converter.row(rows)
      const full = out.takeFull()
      if (full.length > 0) yield* full
    }
  }

  function* readHead(): Generator<Uint8Array, CsvReader> {
    const bytes = joinBytes(...head.splice(0))
    const [rows, start] = readerOf(bytes, options, skipper.offset)
    yield* readChunk(rows, bytes.subarray(start))
    return rows
  }

  for await (const chunk of utf8Input(input, true)) {
    if (reader !== null) yield* readChunk(reader, chunk)
    else {
      const rest = chunk.slice(skipper.take(chunk))
      head.push(rest)
      headLength += rest.length
      if (headLength >= headBytes) reader = yield* readHead()
    }
  }
  reader ??= yield* readHead()
  reader.end()
  if (reader.hasRow) converter.row(reader)
  converter.end()
  yield* out.takeAll()
}
