import { once } from 'node:events'
import type pg from 'pg'

/**
 * `PGCOPY
 * \377\r
 * \0`, no flags, no extension.
 */
const fileHeader = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex')
const fileTrailer = Buffer.from([0xff, 0xff])
const chunkBytes = 1_048_576
/** More than the longest row written here. */
const rowBytesMax = 16_384
const textOid = 25
/** Postgres counts from the year 2000. */
const epochMs = Date.UTC(2000, 0, 1)

/** Encodes rows in COPY's binary format, field by field, in chunks of about 1 MiB. */
export class CopyRows {
  #buffer = Buffer.allocUnsafe(chunkBytes + rowBytesMax)
  #length = fileHeader.copy(this.#buffer)

  /** Begins a row; returns a full chunk first. */
  begin(fields: number): Buffer | null {
    const full = this.#length >= chunkBytes ? this.#take() : null
    this.#length = this.#buffer.writeInt16BE(fields, this.#length)
    return full
  }

  null(): void {
    this.#length = this.#buffer.writeInt32BE(-1, this.#length)
  }

  /** ASCII only. */
  text(text: string): void {
    this.#length = this.#buffer.writeInt32BE(text.length, this.#length)
    this.#length += this.#buffer.write(text, this.#length, 'latin1')
  }

  bytes(bytes: Buffer): void {
    this.#length = this.#buffer.writeInt32BE(bytes.length, this.#length)
    this.#length += bytes.copy(this.#buffer, this.#length)
  }

  integer(value: number): void {
    this.#length = this.#buffer.writeInt32BE(4, this.#length)
    this.#length = this.#buffer.writeInt32BE(value, this.#length)
  }

  bigint(value: number): void {
    this.#length = this.#buffer.writeInt32BE(8, this.#length)
    this.#length = this.#buffer.writeBigInt64BE(BigInt(value), this.#length)
  }

  timestamp(ms: number): void {
    this.bigint((ms - epochMs) * 1_000)
  }

  /** ASCII only. */
  texts(texts: readonly string[]): void {
    const start = this.#length
    let at = start + 4
    // Dimensions, whether there are NULLs, the type, and of the one dimension its length and first subscript.
    const head = texts.length === 0 ? [0, 0, textOid] : [1, 0, textOid, texts.length, 1]
    for (const word of head) at = this.#buffer.writeInt32BE(word, at)
    this.#length = at
    for (const text of texts) this.text(text)
    this.#buffer.writeInt32BE(this.#length - start - 4, start)
  }

  /** The rest, with the trailer. */
  end(): Buffer {
    this.#length += fileTrailer.copy(this.#buffer, this.#length)
    return this.#take()
  }

  #take(): Buffer {
    const full = this.#buffer.subarray(0, this.#length)
    this.#buffer = Buffer.allocUnsafe(chunkBytes + rowBytesMax)
    this.#length = 0
    return full
  }
}

function frame(type: string, bytes: number): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(bytes + 4, 1)
  return head
}

async function send(connection: pg.Connection, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) {
    connection.stream.write(frame('d', chunk.length))
    if (!connection.stream.write(chunk)) await once(connection.stream, 'drain')
  }
  connection.stream.write(frame('c', 0))
}

/** Copies chunks from `CopyRows` into a table; `target` is the SQL between COPY and FROM. */
export function copyIn(
  client: pg.Client,
  target: string,
  options: string,
  chunks: Iterable<Buffer>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | null = null
    const statement = {
      submit: (connection: pg.Connection) =>
        connection.query(`COPY ${target} FROM STDIN (FORMAT binary${options})`),
      handleCopyInResponse(connection: pg.Connection) {
        send(connection, chunks).catch((error: Error) => {
          failure = error
          connection.stream.destroy(error)
        })
      },
      handleError(error: Error) {
        failure ??= error
        reject(failure)
      },
      handleReadyForQuery: () => (failure === null ? resolve() : reject(failure)),
      handleCommandComplete() {},
      handleRowDescription() {},
    }
    client.query(statement)
  })
}
