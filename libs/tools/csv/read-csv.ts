import { csvDelimiter } from '../../compare/table/csv-dialect.js'
import { comma } from '../../json-bytes/json-bytes.js'
import type { OutputBuffer } from '../output-buffer.js'
import { utf8Input } from '../utf8-input.js'
import { CsvReader } from './csv-reader.js'

/** So much is looked at to find the separator. */
const headBytes = 65_537

/** Converts each row, and writes to the output. */
export interface RowConverter {
  row(reader: CsvReader): void
  end(): void
}

/** Reads CSV row by row and yields what the converter writes to `out`. */
export async function* convertRows(
  input: AsyncIterable<Uint8Array>,
  separator: number | null,
  out: OutputBuffer,
  converter: RowConverter,
): AsyncGenerator<Uint8Array> {
  let reader = separator === null ? null : new CsvReader(separator)
  const head: Uint8Array[] = []
  let headLength = 0

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
    const bytes = new Uint8Array(headLength)
    let at = 0
    for (const chunk of head.splice(0)) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    const rows = new CsvReader(csvDelimiter(bytes) ?? comma)
    yield* readChunk(rows, bytes)
    return rows
  }

  for await (const chunk of utf8Input(input)) {
    if (reader !== null) yield* readChunk(reader, chunk)
    else {
      head.push(chunk.slice())
      headLength += chunk.length
      if (headLength >= headBytes) reader = yield* readHead()
    }
  }
  reader ??= yield* readHead()
  reader.end()
  if (reader.hasRow) converter.row(reader)
  converter.end()
  yield* out.takeAll()
}
