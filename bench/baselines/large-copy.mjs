// The baseline for large documents: the same bytes in one binary COPY, as rows of 256 KiB, in and out of a
// table like content's without its foreign key, with a durable commit. Nothing is validated. Also serves them over HTTP,
// as the leanest server on Node would: one process that passes on the rows of a COPY.
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

async function sendRows(stream) {
  stream.write(message(copyHeader))
  for (let seq = 0; seq * rowBytes < document.length; seq += 1) {
    const row = document.subarray(seq * rowBytes, (seq + 1) * rowBytes)
    stream.cork()
    stream.write(rowHead(seq, row.length))
    const room = stream.write(row)
    stream.uncork()
    if (!room) await new Promise((resolve) => stream.once('drain', resolve))
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

async function write(client) {
  await client.query('TRUNCATE large')
  const seconds = await copy(client, 'COPY large (seq, bytes) FROM STDIN (FORMAT binary)', {
    handleCopyInResponse: ({ stream }) => void sendRows(stream),
  })
  return { seconds, sha256: '' }
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

async function serve(client) {
  const server = createServer((_request, response) => void send(client, response))
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
