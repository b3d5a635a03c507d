import type * as http from 'node:http'
import { ConnectionError } from '../sdk/problem-error.js'
import { collectEarly } from './frugal-transfer.js'
import { type Environment, routeTo } from './proxy.js'

/** Sends content until it ends or the server responds: a server that rejects early reads no further. */
async function sendContent(request: http.ClientRequest, content: ReadableStream<Uint8Array>): Promise<void> {
  let isOver = false
  const over = new Promise<void>((resolve) => {
    const end = (): void => {
      isOver = true
      resolve()
    }
    request.once('response', end).once('close', end)
  })
  for await (const chunk of content) {
    if (isOver) return
    const taken = new Promise<void>((resolve) => request.write(chunk, () => resolve()))
    await Promise.race([taken, over])
  }
  if (!isOver) request.end()
}

/** The body of a response, with backpressure. */
function bodyOf(response: http.IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = response.iterator()
  const passed = collectEarly()
  return new ReadableStream<Uint8Array>(
    {
      async pull(output) {
        try {
          const { value, done } = await chunks.next()
          if (done === true) return output.close()
          const chunk: Buffer = value
          passed(chunk.length)
          output.enqueue(chunk)
        } catch (error) {
          throw new ConnectionError('The connection broke before everything had arrived.', { cause: error })
        }
      },
      cancel() {
        response.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

function headersOf({ rawHeaders }: http.IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}

/**
 * A `fetch` for the SDK that uses less memory than Node's, and the proxies that the environment names: bodies are bytes
 * or a stream, and there are no redirects. It resolves with the headers, even while the request body is still being
 * sent.
 */
export function createNodeFetch(env: Environment): typeof fetch {
  return (address, init = {}) => {
    const url = new URL(String(address))
    const { method = 'GET', headers, body = null, signal } = init
    const isBytes = typeof body === 'string' || body instanceof Uint8Array
    // Node leaves it out of a DELETE, whose body would then look like the next request.
    const length = isBytes ? { 'content-length': String(Buffer.byteLength(body)) } : {}
    return new Promise((resolve, reject) => {
      const { module, options } = routeTo(url, env)
      const request = module.request(url, {
        method,
        ...options,
        headers: { ...Object.fromEntries(new Headers(headers)), ...length, ...options.headers },
        ...(signal ? { signal } : {}),
      })
      request.once('response', (response) => {
        const { statusCode: status = 0 } = response
        // The server has responded and has no use for the rest.
        response.once('close', () => request.destroy())
        const hasNoBody = [204, 205, 304].includes(status)
        if (hasNoBody) response.resume()
        resolve(new Response(hasNoBody ? null : bodyOf(response), { status, headers: headersOf(response) }))
      })
      request.on('error', (error) => reject(new TypeError('fetch failed', { cause: error })))
      if (body instanceof ReadableStream)
        sendContent(request, body).catch((error: Error) => request.destroy(error))
      else if (body === null || isBytes) request.end(body ?? undefined)
      else request.destroy(new TypeError('only bytes and streams can be sent'))
    })
  }
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const redirectsMax = 10

/** What no other origin may see. */
const credentialHeaders = ['Authorization', 'Cookie', 'Proxy-Authorization'] as const

/** The same in place of Node's `fetch`, which knows no proxies: forms may be sent, and redirects of a GET are followed. */
export function createProxiedFetch(env: Environment): typeof fetch {
  const send = createNodeFetch(env)
  return async (input, init = {}) => {
    const { body, redirect = 'follow' } = init
    const headers = new Headers(init.headers)
    let url = new URL(String(input))
    for (let left = redirectsMax; ; left -= 1) {
      const form = body instanceof URLSearchParams ? { body: String(body) } : {}
      const response = await send(url, { ...init, ...form, headers })
      const location = response.headers.get('Location')
      if (redirect === 'manual' || location === null || !redirects.has(response.status))
        return Object.defineProperty(response, 'url', { value: url.href })
      await response.body?.cancel()
      if (redirect === 'error' || left === 0 || (body ?? null) !== null)
        throw new TypeError(`${url.host} redirects.`)
      const next = new URL(location, url)
      if (next.origin !== url.origin) for (const name of credentialHeaders) headers.delete(name)
      url = next
    }
  }
}
