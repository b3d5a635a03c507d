// Stands for other pastebins: Express, a JSON body and a table. No accounts, no limits.
import { randomUUID } from 'node:crypto'
import express from 'express'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
await pool.query(`
  CREATE TABLE IF NOT EXISTS public.paste (
    id text PRIMARY KEY,
    name text UNIQUE,
    tool text NOT NULL,
    title text NOT NULL,
    tags text[] NOT NULL,
    data jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX IF NOT EXISTS paste_newest ON public.paste (created_at DESC);`)

const app = express()
app.use(express.json({ limit: '50mb' }))

app.post('/pastes', async (request, response) => {
  const { tool, title, data, tags = [] } = request.body
  const { rows } = await pool.query(
    `INSERT INTO public.paste (id, tool, title, tags, data) VALUES ($1, $2, $3, $4, $5)
     RETURNING id, tool, title, tags, created_at, updated_at`,
    [randomUUID(), tool, title, tags, JSON.stringify(data)],
  )
  response.status(201).json(rows[0])
})

// Keeps nothing of what was there before.
app.put('/pastes/@:name', async (request, response) => {
  const { tool, title, data, tags = [] } = request.body
  const { rows } = await pool.query(
    `INSERT INTO public.paste (id, name, tool, title, tags, data) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (name) DO UPDATE SET tool = excluded.tool, title = excluded.title, tags = excluded.tags,
       data = excluded.data, updated_at = now()
     RETURNING id, name, tool, title, tags, created_at, updated_at`,
    [randomUUID(), request.params.name, tool, title, tags, JSON.stringify(data)],
  )
  response.json(rows[0])
})

app.get('/pastes', async (_request, response) => {
  const { rows } = await pool.query('SELECT * FROM public.paste ORDER BY created_at DESC LIMIT 20')
  response.json({ pastes: rows })
})

app.get('/pastes/:id', async (request, response) => {
  const { rows } = await pool.query('SELECT * FROM public.paste WHERE id = $1', [request.params.id])
  if (rows.length === 0) response.status(404).json({ error: 'not found' })
  else response.json(rows[0])
})

const server = app.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => process.exit())
