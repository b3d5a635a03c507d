import type { CallOptions } from './transport.js'

/** `Response.text` drops a byte order mark. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** What a tool has to say about its output. */
export interface ToolNote {
  readonly message: string
  /** In the input, from 1. */
  readonly line?: number
  readonly column?: number
}

/** Which part of `data` to read. */
export interface RawOptions extends CallOptions {
  /** A JSON Pointer to one value; a string comes decoded. */
  readonly pointer?: string | undefined
  /**
   * With a pointer: only these items of an array, or these records of CSV and its header, also as text such as `1-100`.
   * Both count from 1.
   */
  readonly rows?: { readonly first: number; readonly last: number } | string | undefined
  /** Only bytes from `start` to `end`, both counted from 0 and included; without `end`, all from `start`. */
  readonly range?: { readonly start: number; readonly end?: number | undefined } | undefined
  /** With `range`: the ETag it is meant for. If `data` has changed, everything comes, and `isPartial` is false. */
  readonly ifRange?: string | undefined
}

/** The bytes of `data`, or of one value in it, as a stream. */
export class RawData {
  /** `null` once `bytes`, `text` or `json` has been called. */
  readonly body: ReadableStream<Uint8Array>
  /** The media type: `application/json`, or `text/plain` for a string selected by a pointer. */
  readonly contentType: string
  /** The number of bytes; `null` if the server doesn't say. */
  readonly size: number | null
  /** Quoted, ready for `If-None-Match`. */
  readonly etag: string | null
  /** Whether these are only the bytes of `range`; a server may send everything instead. */
  readonly isPartial: boolean
  /** What to call a file of it, if the server says. */
  readonly fileName: string | null
  /** How many rows the value has, if `rows` were requested. */
  readonly totalRows: number | null
  /** What a tool has to say about its output, such as a part that it left as it was. */
  readonly notes: readonly ToolNote[]
  readonly #response: Response

  constructor(response: Response) {
    const { headers, body } = response
    const length = headers.get('Content-Length')
    const rows = headers.get('X-Total-Rows')
    this.#response = response
    this.body = body ?? new Blob([]).stream()
    this.contentType = headers.get('Content-Type') ?? 'application/octet-stream'
    this.size = length === null ? null : Number(length)
    this.etag = headers.get('ETag')
    this.isPartial = response.status === 206
    this.fileName = /filename="([^"]+)"/.exec(headers.get('Content-Disposition') ?? '')?.[1] ?? null
    this.totalRows = rows === null ? null : Number(rows)
    this.notes = JSON.parse(headers.get('Snipkeep-Notes') ?? '[]') as ToolNote[]
  }

  /** All bytes; browsers keep large ones on disk. */
  blob(): Promise<Blob> {
    return this.#response.blob()
  }

  /** All bytes, in memory. */
  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.#response.arrayBuffer())
  }

  /** All of it as text, including a byte order mark. */
  async text(): Promise<string> {
    return utf8.decode(await this.#response.arrayBuffer())
  }

  /**
   * Parses it. JavaScript numbers cannot represent `12345678901234567890` or `1.10` exactly; use `text`, or a
   * pointer to one value, where that matters.
   */
  async json(): Promise<unknown> {
    return JSON.parse(await this.text())
  }
}
