// Runs s3rver as a separate process, for tests that need an S3 store without a real one or Docker.
//
//   node libs/testing/fake-s3.mjs <port> <folder>
//
// s3rver 3.7.1 departs from S3 in ways that matter to documents. Each is corrected here, so that our adapter
// can rely on S3's guarantees:
//
// - it writes in place and responds before the bytes are in the file, so readers see torn and short objects, and an
//   upload that breaks off stays visible: objects and parts are written aside and moved into place;
// - it knows neither AbortMultipartUpload nor ListMultipartUploads, and parts of an upload that is gone make a new one;
// - a range that ends at byte 0 gives the whole object, and one of an empty object a response that never ends.

import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import S3rver from 's3rver'

const [port = '0', directory = '.data'] = process.argv.slice(2)
const server = new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory,
  vhostBuckets: false,
})
const { store } = server
const completing = new Set()

/** Writes a stream to a temporary file and moves it into place when it is complete. */
async function save(content, path) {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  const md5 = createHash('md5')
  let size = 0
  const count = new Transform({
    transform(chunk, _encoding, done) {
      md5.update(chunk)
      size += chunk.length
      done(null, chunk)
    },
  })
  await mkdir(dirname(path), { recursive: true })
  try {
    await pipeline(content, count, createWriteStream(aside))
    await rename(aside, path)
  } catch (error) {
    await rm(aside, { force: true })
    throw error
  }
  return { size, md5: md5.digest('hex') }
}

function uploadsOf(bucket) {
  return store.getResourcePath(bucket, undefined, 'uploads')
}

/** The pending uploads, as pairs of id and key. */
async function listUploads(bucket) {
  const ids = await readdir(uploadsOf(bucket)).catch(() => [])
  const pairs = await Promise.all(
    ids.map(async (id) => [id, await readFile(join(uploadsOf(bucket), id, 'key'), 'utf8').catch(() => null)]),
  )
  return pairs.filter(([, key]) => key !== null)
}

const putObjectMultipart = store.putObjectMultipart.bind(store)

Object.assign(store, {
  putObject: ({ bucket, key, content }) => save(content, store.getResourcePath(bucket, key, 'object')),
  putPart: (bucket, uploadId, part, content) =>
    save(content, join(uploadsOf(bucket), uploadId, String(part))),
  async putObjectMultipart(bucket, uploadId, parts) {
    completing.add(uploadId)
    try {
      return await putObjectMultipart(bucket, uploadId, parts)
    } finally {
      completing.delete(uploadId)
    }
  },
  async getMetadata(bucket, key) {
    const { size, mtime } = await stat(store.getResourcePath(bucket, key, 'object'))
    const etag = `"${size}-${mtime.getTime()}"`
    return { etag, 'last-modified': mtime.toUTCString(), 'content-length': size }
  },
  deleteObject: (bucket, key) => rm(store.getResourcePath(bucket, key, 'object'), { force: true }),
})

async function firstByte(path) {
  const file = await open(path)
  try {
    return (await file.read(Buffer.alloc(1), 0, 1, 0)).buffer
  } finally {
    await file.close()
  }
}

function response(ctx, status, xml) {
  ctx.status = status
  ctx.type = 'application/xml'
  ctx.body = `<?xml version="1.0" encoding="UTF-8"?>\n${xml}`
}

function refuse(ctx, status, code) {
  response(ctx, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
}

/** Serves what s3rver does not support, and leaves everything else to it. */
async function corrections(ctx, next) {
  const [, bucket = '', ...rest] = decodeURIComponent(ctx.path).split('/')
  const key = rest.join('/')
  const { uploadId } = ctx.query
  if (ctx.method === 'GET' && key === '' && 'uploads' in ctx.query) {
    const found = (await listUploads(bucket)).filter(([, name]) => name.startsWith(ctx.query.prefix ?? ''))
    const items = found.map(([id, name]) => `<Upload><Key>${name}</Key><UploadId>${id}</UploadId></Upload>`)
    const result = `<IsTruncated>false</IsTruncated>${items.join('')}`
    return response(ctx, 200, `<ListMultipartUploadsResult>${result}</ListMultipartUploadsResult>`)
  }
  if (uploadId !== undefined) {
    const known = (await listUploads(bucket)).some(([id, name]) => id === uploadId && name === key)
    if (!known || (ctx.method === 'DELETE' && completing.has(uploadId))) {
      ctx.req.resume()
      return refuse(ctx, 404, 'NoSuchUpload')
    }
    if (ctx.method === 'DELETE') {
      await rm(join(uploadsOf(bucket), basename(uploadId)), { recursive: true, force: true })
      ctx.status = 204
      return
    }
  }
  const range = /^bytes=(\d+)-(\d*)$/.exec(ctx.headers.range ?? '')
  if (ctx.method === 'GET' && range !== null) {
    const size = (await stat(store.getResourcePath(bucket, key, 'object')).catch(() => null))?.size
    if (size === 0) return refuse(ctx, 416, 'InvalidRange')
    if (size !== undefined && range[2] === '0') {
      ctx.status = 206
      ctx.set('Content-Range', `bytes 0-0/${size}`)
      ctx.body = await firstByte(store.getResourcePath(bucket, key, 'object'))
      return
    }
  }
  await next()
}

server.middleware.unshift(corrections)
const { port: listening } = await server.run()
process.send?.({ port: listening })
process.on('disconnect', () => process.exit(0))
