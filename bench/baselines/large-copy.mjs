// The baseline for large documents: the same bytes in one binary COPY, as rows of 256 KiB, in and out of a
// table like content's without its foreign key, with a durable commit. Nothing is validated. Also takes and serves them
// over HTTP, as the leanest server on Node would: one process between its client and a COPY, which serves small reads as well.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'

const rowBytes = 262_144
const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const document = readFileSync(process.env.DOCUMENT)

/** The header of a COPY message and, inside it, of a row of (integer, bytea). */
function rowHead(seq, length) {
  const head = Buffer.alloc(19, 'd')
  head.writeInt32BE(18 + length, 1)
  head.writeInt16BE(2, 5)
  head.writeInt32BE(4, 7)
  head.writeInt32BE(seq, 11)
  head.writeInt32BE(length, 15)
  return head
}

function message(content) {
  const head = Buffer.alloc(5, 'd')
  head.writeInt32BE(4 + content.length, 1)
  return Buffer.concat([head, content])
}

/** The document in rows. */
async function* ownRows() {
  for (let at = 0; at < document.length; at += rowBytes) yield [document.subarray(at, at + rowBytes)]
}

/** A body in rows of about the same size, each of the chunks in which it came. */
async function* rowsOf(body) {
  let pieces = []
  let bytes = 0
  for await (const chunk of body) {
    pieces.push(chunk)
    bytes += chunk.length
    if (bytes < rowBytes) continue
    yield pieces
    pieces = []
    bytes = 0
  }
  if (bytes > 0) yield pieces
}

/** Sends rows, each in pieces, as fast as the database takes them. */
async function sendRows(stream, rows) {
  stream.write(message(copyHeader))
  let seq = 0
  for await (const pieces of rows) {
    const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
    stream.cork()
    let room = stream.write(rowHead(seq, bytes))
    for (const piece of pieces) room = stream.write(piece)
    stream.uncork()
    if (!room) await new Promise((resolve) => stream.once('drain', resolve))
    seq += 1
  }
  stream.write(message(Buffer.from([0xff, 0xff])))
  stream.write(Buffer.from('c\0\0\0\x04', 'latin1'))
}

/** Runs a COPY whose data goes to `handlers`. Returns the seconds it took. */
async function copy(client, text, handlers) {
  const startedAt = performance.now()
  await new Promise((resolve, reject) => {
    client.query({
      submit: (connection) => connection.query(text),
      callback: reject,
      handleError: reject,
      handleReadyForQuery: resolve,
      handleCommandComplete: () => {},
      handleRowDescription: () => {},
      ...handlers,
    })
  })
  return (performance.now() - startedAt) / 1_000
}

/** Stores rows with one COPY. Returns the seconds it took. */
async function store(client, rows) {
  await client.query('TRUNCATE large')
  return copy(client, 'COPY large (seq, bytes) FROM STDIN (FORMAT binary)', {
    handleCopyInResponse: ({ stream }) => void sendRows(stream, rows),
  })
}

async function write(client) {
  return { seconds: await store(client, ownRows()), sha256: '' }
}

const readText = 'COPY (SELECT large.bytes FROM large ORDER BY large.seq) TO STDOUT (FORMAT binary)'

async function read(client) {
  const rows = []
  const seconds = await copy(client, readText, {
    // The driver overwrites its buffer. The trailer is shorter than any row.
    handleCopyData({ chunk }) {
      if (chunk.length > 64) rows.push(Buffer.from(chunk.subarray(rows.length === 0 ? 25 : 6)))
    },
  })
  const hash = createHash('sha256')
  for (const row of rows) hash.update(row)
  return { seconds, sha256: hash.digest('hex') }
}

/** Sends the document to everyone, while the database waits for slow readers. */
async function send(client, response) {
  const { stream } = client.connection
  let isFirst = true
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': document.length })
  await copy(client, readText, {
    handleCopyData({ chunk }) {
      if (chunk.length <= 64) return
      const hasRoom = response.write(Buffer.from(chunk.subarray(isFirst ? 25 : 6)))
      isFirst = false
      if (hasRoom) return
      stream.pause()
      response.once('drain', () => stream.resume())
    },
  })
  response.end()
}

/** Stores what a client sends, which waits for the database. */
async function receive(client, request, response) {
  await store(client, rowsOf(request))
  response.writeHead(201, { 'Content-Type': 'application/json' })
  response.end('{"id":"large"}')
}

/** Sends 1 KB that a session of its own reads. */
async function sendSmall(reader, response) {
  const { rows } = await reader.query({ name: 'small', text: "SELECT repeat('x', 1000) AS v" })
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(rows[0]))
}

async function serve(client) {
  const reader = new pg.Client({ connectionString: process.env.DATABASE_URL })
  await reader.connect()
  const server = createServer((request, response) => {
    if (request.method === 'POST') void receive(client, request, response)
    else if (request.url === '/small') void sendSmall(reader, response)
    else void send(client, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: server.address().port }
}

const orders = { write, read, serve }
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query(`
  CREATE TABLE large (LIKE content.document_chunk INCLUDING ALL);
  ALTER TABLE large ALTER COLUMN document_id SET DEFAULT 'doc_large'`)
process.on('message', async (order) => process.send(await orders[order](client)))
process.on('disconnect', () => process.exit())
