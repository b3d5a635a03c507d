import { RawData } from './raw-data.js'
import type { CallOptions, Transport } from './transport.js'

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

/** Reads `data` of what this path names, or a part of it. */
export async function readRaw(
  send: Transport,
  path: string,
  options?: RawOptions,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<RawData> {
  const { pointer, rows, range, ifRange } = options ?? {}
  const query = { pointer, rows: typeof rows === 'object' ? `${rows.first}-${rows.last}` : rows }
  const headers = {
    Range: range === undefined ? undefined : `bytes=${range.start}-${range.end ?? ''}`,
    'If-Range': ifRange,
    ...more,
  }
  return new RawData(await send({ method: 'GET', path, query, headers }, options))
}
