// The baseline for a server with a database: one process, `node:http` and `pg`, on content's tables. No
// authentication, limits, quotas, validation or logging; the owner is in the path.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import pg from 'pg'

const poolOf = (max, options = '') =>
  new pg.Pool({
    connectionString: process.env.DATABASE_URL,
    max,
    options: `-c search_path=content -c TimeZone=UTC ${options}`,
  })
const pool = poolOf(10)
// Two connections for creates, out of ten in all, as in content: an idempotency lease need not be durable.
const durable = poolOf(5)
const deferred = poolOf(5, '-c synchronous_commit=off')

const columns = 'id, tool, title, tags, size_bytes, created_at, updated_at'

const envelope = ({ id, tool, title, tags, size_bytes, created_at, updated_at }) => {
  const before = JSON.stringify({ id, tool, title })
  const after = JSON.stringify({ tags, size_bytes: Number(size_bytes), created_at, updated_at })
  return [Buffer.from(`${before.slice(0, -1)},"data":`), Buffer.from(`,${after.slice(1)}`)]
}

const withData = (row) => {
  const [before, after] = envelope(row)
  return [before, row.data, after]
}

function send(response, status, bytes) {
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  })
  response.end(bytes)
}

async function read(owner, id, response) {
  const text = `SELECT ${columns}, data FROM snippet WHERE owner_id = $1 AND id = $2`
  const { rows } = await pool.query({ name: 'read', text, values: [owner, id] })
  if (rows.length === 0) send(response, 404, Buffer.from('{}'))
  else send(response, 200, Buffer.concat(withData(rows[0])))
}

const comma = Buffer.from(',')

// Simpler than content's query, which also ends a page of large documents early.
async function list(owner, response) {
  const text = `SELECT ${columns}, data FROM snippet WHERE owner_id = $1 ORDER BY created_at DESC, id DESC LIMIT 21`
  const { rows } = await pool.query({ name: 'list', text, values: [owner] })
  const page = rows.slice(0, 20)
  const last = page.at(-1)
  const next = rows.length > 20 ? Buffer.from(`${+last.created_at} ${last.id}`).toString('base64url') : null
  const parts = [Buffer.from('{"snippets":[')]
  for (const [index, row] of page.entries()) {
    if (index > 0) parts.push(comma)
    parts.push(...withData(row))
  }
  parts.push(Buffer.from(`],"next_cursor":${JSON.stringify(next)}}`))
  send(response, 200, Buffer.concat(parts))
}

const begin = `
  INSERT INTO idempotency_key (owner_id, operation, key, holder, state, lease_until, created_at)
  VALUES ($1, 'create-snippet', $2, $3, 'running', now() + interval '60 seconds', now())
  ON CONFLICT (owner_id, operation, key) DO UPDATE SET holder = excluded.holder, lease_until = excluded.lease_until
    WHERE idempotency_key.state = 'running' AND idempotency_key.lease_until <= now()
  RETURNING holder`
const add = `
  WITH place AS (
    INSERT INTO owner (owner_id, snippet_count) VALUES ($1, 1)
    ON CONFLICT (owner_id) DO UPDATE SET snippet_count = owner.snippet_count + 1
      WHERE $10::bigint IS NULL OR owner.snippet_count < $10
    RETURNING owner.owner_id)
  INSERT INTO snippet (owner_id, id, tool, title, tags, words, size_bytes, sha256, data, created_at, updated_at)
  SELECT place.owner_id, $2, $3, $4, $5, $6, $7, $8, $9, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
  FROM place RETURNING ${columns}`
const complete = `
  UPDATE idempotency_key SET state = 'done', fingerprint = $4, answer = $5
  WHERE owner_id = $1 AND operation = 'create-snippet' AND key = $2 AND holder = $3 AND state = 'running'`

const findId = 'SELECT id FROM snippet WHERE owner_id = $1 AND name = $2'
const lock = `
  SELECT ${columns}, name, sha256, document_id, version, greatest(date_trunc('milliseconds', now()), updated_at) AS now
  FROM snippet WHERE owner_id = $1 AND id = $2 FOR UPDATE`
const changeData = `
  WITH kept AS (
    INSERT INTO snippet_revision (owner_id, snippet_id, version, tool, title, tags, size_bytes, sha256, data,
      document_id, principal, created_at, replaced_at)
    SELECT owner_id, id, version, tool, title, tags, size_bytes, sha256, data, document_id,
      CASE WHEN principal_version = version THEN principal END, updated_at, $8
    FROM snippet WHERE owner_id = $1 AND id = $2 AND $15::int > 0),
  trimmed AS (
    DELETE FROM snippet_revision
    WHERE $15::int IS NOT NULL AND owner_id = $1 AND snippet_id = $2 AND version <= (
      SELECT surplus.version FROM snippet_revision AS surplus
      WHERE surplus.owner_id = $1 AND surplus.snippet_id = $2
      ORDER BY surplus.version DESC OFFSET greatest($15::int - 1, 0) LIMIT 1)
    RETURNING CASE WHEN data IS NULL THEN 0 ELSE size_bytes END AS bytes)
  UPDATE snippet SET tool = $3, title = $4, tags = $5, words = $6, version = $7, updated_at = $8, name = $9,
    principal = $10, principal_version = $7, size_bytes = $11, sha256 = $12, data = $13, document_id = $14
  WHERE owner_id = $1 AND id = $2
  RETURNING (SELECT coalesce(sum(trimmed.bytes), 0) FROM trimmed) AS trimmed_bytes`
/** As many replaced versions as Pro keeps. */
const revisionsMax = Number(process.env.REVISIONS_MAX)

const sha256 = (bytes) => createHash('sha256').update(bytes).digest()
const newId = () => randomBytes(11).toString('hex')

async function create(owner, key, text, response) {
  const { tool, title, tags = [], data } = JSON.parse(text)
  const bytes = Buffer.from(JSON.stringify(data))
  const digest = sha256(bytes)
  const fingerprint = sha256(JSON.stringify([tool, title, tags, digest])).toString('hex')
  const holder = newId()
  await deferred.query({ name: 'begin', text: begin, values: [owner, key, holder] })
  const client = await durable.connect()
  try {
    await client.query('BEGIN')
    const words = title.toLowerCase().split(' ')
    const values = [owner, newId(), tool, title, tags, words, bytes.length, digest, bytes, null]
    const { rows } = await client.query({ name: 'add', text: add, values })
    const body = JSON.stringify({ ...rows[0], size_bytes: bytes.length })
    const done = [owner, key, holder, fingerprint, body]
    await client.query({ name: 'complete', text: complete, values: done })
    await client.query('COMMIT')
    send(response, 201, Buffer.from(body))
  } finally {
    client.release()
  }
}

/** Replaces the snippet of this name, which exists. */
async function replace(owner, name, text, response) {
  const { tool, title, tags = [], data } = JSON.parse(text)
  const bytes = Buffer.from(JSON.stringify(data))
  const found = await pool.query({ name: 'find-id', text: findId, values: [owner, name] })
  const { id } = found.rows[0]
  const client = await durable.connect()
  try {
    await client.query('BEGIN')
    const { rows } = await client.query({ name: 'lock', text: lock, values: [owner, id] })
    const [{ version, now }] = rows
    const words = title.toLowerCase().split(' ')
    const digest = sha256(bytes)
    const revisions = digest.equals(rows[0].sha256) ? null : revisionsMax
    const fields = [owner, id, tool, title, tags, words, version + 1, now, name, null]
    const values = [...fields, bytes.length, digest, bytes, null, revisions]
    await client.query({ name: 'change-data', text: changeData, values })
    await client.query('COMMIT')
    const { created_at } = rows[0]
    const body = { id, name, tool, title, tags, size_bytes: bytes.length, created_at, updated_at: now }
    send(response, 200, Buffer.from(JSON.stringify(body)))
  } finally {
    client.release()
  }
}

const server = createServer((request, response) => {
  const [, owner, id] = request.url.split('/')
  const failed = (error) => {
    response.destroy(error)
    process.stderr.write(`${error.stack}\n`)
  }
  if (request.method === 'GET') {
    const pending = id === undefined ? list(owner, response) : read(owner, id, response)
    pending.catch(failed)
    return
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    const pending =
      request.method === 'PUT'
        ? replace(owner, id.slice(1), text, response)
        : create(owner, request.headers['idempotency-key'], text, response)
    pending.catch(failed)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
