import { createHash } from 'node:crypto'
import { CopyRows } from './copy-in.js'
import {
  commonTag,
  commonTool,
  dataBytes,
  expired,
  few,
  many,
  oldTag,
  otherOwners,
  othersEvery,
  rareTag,
  rareTool,
  teams,
  teamTag,
  vocabulary,
} from './seed-plan.js'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const idLength = 22
const tools = 20
const twoYearsMs = 2 * 365 * 86_400_000

/** Pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
export function repeatable(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

function newId(random: () => number): string {
  let id = ''
  while (id.length < idLength) id += alphabet[Math.floor(random() * alphabet.length)]
  return id
}

/** Columns of every table; rows are in order of creation. */
interface RowHead {
  readonly row: number
  /** The fraction of the table that is older, from 0 to 1. */
  readonly part: number
  readonly id: string
  readonly ownerId: string
  readonly tool: string
  readonly createdAt: number
}

function* ownersOf(manyRows: number, fewRows: number): Generator<string> {
  let rest = manyRows - fewRows
  for (let row = 1; rest > 0; row += 1) {
    if (row % othersEvery === 0)
      yield `OtherOwner${String((row / othersEvery) % otherOwners).padStart(12, '0')}`
    else {
      rest -= 1
      yield many.id
    }
  }
  // Interleaves the newest rows of both owners, so that neither has the better place on the disk.
  for (let row = 0; row < fewRows; row += 1) {
    yield many.id
    yield few.id
  }
}

function toolOf(row: number, random: () => number): string {
  if (row % rareTool.every === rareTool.every / 2) return rareTool.name
  const drawn = random()
  return drawn < 0.3 ? commonTool : `tool-${Math.floor(((drawn - 0.3) / 0.7) ** 2 * (tools - 1))}`
}

function* heads(manyRows: number, fewRows: number, seed: number, now: number): Generator<RowHead> {
  const random = repeatable(seed)
  const rows = Math.ceil((manyRows * othersEvery) / (othersEvery - 1)) + fewRows
  let row = 0
  for (const ownerId of ownersOf(manyRows, fewRows)) {
    row += 1
    const part = row / (rows + 1)
    const createdAt = Math.floor(now - twoYearsMs * (1 - part))
    yield { row, part, id: newId(random), ownerId, tool: toolOf(row, random), createdAt }
  }
}

/** JSON of 1,024 bytes, different in every row. */
function dataOf(row: number): Buffer {
  const head = `{"row":${row},"text":"`
  const filler = vocabulary[row % vocabulary.length] ?? ''
  const text = `${head}${`${filler} `.repeat(200)}`.slice(0, dataBytes - 2)
  return Buffer.from(`${text}"}`, 'latin1')
}

/** Favours common words, as in natural language. */
function word(random: () => number): string {
  return vocabulary[Math.floor(vocabulary.length * random() ** 3)] ?? ''
}

function tagsOf({ row, part }: RowHead, random: () => number): string[] {
  const tags = [teamTag(Math.floor(random() * teams))]
  if (random() < 0.2) tags.push(commonTag)
  if (part < oldTag.part && random() < 0.2) tags.push(oldTag.name)
  if (row % rareTag.every === 77) tags.push(rareTag.name)
  return tags
}

/** Counts the rows of each owner, and when the newest was created. */
export class OwnerCounts {
  readonly counts = new Map<string, number>()
  readonly newest = new Map<string, number>()

  count({ ownerId, createdAt }: Pick<RowHead, 'ownerId' | 'createdAt'>): void {
    this.counts.set(ownerId, (this.counts.get(ownerId) ?? 0) + 1)
    this.newest.set(ownerId, createdAt)
  }
}

/** One table: its columns, and a function that writes a row. */
interface RowWriter {
  readonly columns: readonly string[]
  /** Whether the row counts towards its owner's quota. */
  write(rows: CopyRows, head: RowHead): boolean
}

function writeData(rows: CopyRows, data: Buffer, gone = false): void {
  rows.bigint(data.length)
  rows.bytes(createHash('sha256').update(data).digest())
  if (gone) rows.null()
  else rows.bytes(data)
}

/** Columns of `content.snippet`. */
export function snippetWriter(seed: number): RowWriter {
  const random = repeatable(seed)
  return {
    columns: 'owner_id id tool title tags words size_bytes sha256 data created_at updated_at'.split(' '),
    write(rows, head) {
      const { row, id, ownerId, tool, createdAt } = head
      const title = `${word(random)} ${word(random)} ${row}`
      const tags = tagsOf(head, random)
      for (const text of [ownerId, id, tool, title]) rows.text(text)
      rows.texts(tags)
      // Titles and tags are normalised words already.
      rows.texts([...new Set([...title.split(' '), ...tags])])
      writeData(rows, dataOf(row))
      rows.timestamp(createdAt)
      rows.timestamp(createdAt)
      return true
    },
  }
}

const yearMs = 365 * 86_400_000

/** Columns of `content.share`. Every other share expires; new ones in years. */
export function shareWriter(seed: number): RowWriter {
  const random = repeatable(seed)
  return {
    columns: 'id owner_id tool title size_bytes sha256 data created_at expires_at purged_at'.split(' '),
    write(rows, { row, part, id, ownerId, tool, createdAt }) {
      const purged = row % 2 === 0 && part < expired.part
      const expiresAt = createdAt + (purged ? expired.afterMs : 4 * yearMs)
      for (const text of [id, ownerId, tool, `${word(random)} ${word(random)} ${row}`]) rows.text(text)
      writeData(rows, dataOf(row), purged)
      rows.timestamp(createdAt)
      if (row % 2 === 0) rows.timestamp(expiresAt)
      else rows.null()
      if (purged) rows.timestamp(expiresAt)
      else rows.null()
      return !purged
    },
  }
}

/** Columns of `activity.entry`. */
export function entryWriter(seed: number): RowWriter {
  const random = repeatable(seed)
  return {
    columns: 'owner_id id tool action title metadata created_at'.split(' '),
    write(rows, { row, id, ownerId, tool, createdAt }) {
      for (const text of [ownerId, id, tool, 'formatted', `${word(random)} ${row}`]) rows.text(text)
      rows.text(`{"bytes":${row % 100_000},"source":"bench"}`)
      rows.timestamp(createdAt)
      return true
    },
  }
}

/** The rows of a table, encoded for COPY; `counts` is complete at the end. */
export function* seededRows(
  { columns, write }: RowWriter,
  size: { readonly many: number; readonly few: number },
  { seed, now }: { readonly seed: number; readonly now: number },
  counts: OwnerCounts,
): Generator<Buffer> {
  const rows = new CopyRows()
  for (const head of heads(size.many, size.few, seed, now)) {
    const full = rows.begin(columns.length)
    if (full !== null) yield full
    if (write(rows, head)) counts.count(head)
  }
  yield rows.end()
}
