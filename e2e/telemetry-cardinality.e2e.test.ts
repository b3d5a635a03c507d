import { randomBytes, randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { iterations } from './harness/iterations.js'
import { samplesOf, scrapeText } from './harness/scrape.js'
import { startSystem, type TestSystem } from './harness/system.js'

const requestsCount = iterations(8_000, 100_000)
const connections = 8
/**
 * How many requests are pipelined before their responses are awaited. They all fit into one read of the
 * gateway: if the headers of one arrived in part, it would expect the rest within ten seconds, however busy
 * it is.
 */
const pipelined = 40

let system: TestSystem
beforeAll(async () => {
  system = await startSystem({ env: { METRICS_PORT: '0' } })
})
afterAll(() => system?.stop())

/** Every series of every process. */
async function allSeries(): Promise<ReadonlySet<string>> {
  const all = new Set<string>()
  for (const one of system.processes) {
    for (const { name, labels } of samplesOf(await scrapeText(one)))
      all.add(`${one.name} ${name} ${JSON.stringify(labels)}`)
  }
  return all
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'MKCOL', 'PURGE']

function word(lengthMax: number): string {
  return randomBytes(randomInt(1, lengthMax)).toString('base64url')
}

/** Most are served by the gateway, some by a service. */
function pathOf(n: number): string {
  if (n % 5 === 0) return `/api/shares/${randomBytes(11).toString('hex')}`
  return n % 2 === 0 ? `/api/${word(200)}?${word(200)}` : `/api/snippets/${word(60)}`
}

function headOf(n: number): string {
  return [
    `${methods[n % methods.length]} ${pathOf(n)} HTTP/1.1`,
    'Host: a',
    // A request rejected before it is known to have no body closes its connection.
    'Content-Length: 0',
    `User-Agent: ${word(300)}`,
    `X-Request-Id: ${randomBytes(48).toString('hex')}`,
    `traceparent: 00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
    '\r\n',
  ].join('\r\n')
}

/** Sends the requests numbered `from` to `to`, pipelined on one connection, and waits for each response. */
async function sendAll(from: number, to: number): Promise<number> {
  const { hostname, port } = new URL(system.baseUrl())
  const socket = connect(Number(port), hostname)
  let responded = 0
  let rest = ''
  let wake = (): void => {}
  socket.on('data', (chunk) => {
    const text = rest + chunk.toString('latin1')
    responded += text.split('HTTP/1.1 ').length - 1
    rest = text.slice(-8)
    wake()
  })
  let closed = false
  socket.on('close', () => {
    closed = true
    wake()
  })
  let sent = 0
  for (let n = from; n < to && !closed; n += pipelined) {
    const batch = Array.from({ length: Math.min(pipelined, to - n) }, (_, index) => headOf(n + index))
    sent += batch.length
    socket.write(batch.join(''))
    while (responded < sent && !closed)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
  }
  socket.destroy()
  return responded
}

/** Requests pages, each on a new connection because they close it; `fetch` sets its own User-Agent. */
async function askForPages(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const path = n % 2 === 0 ? `/${word(60)}` : `/s/${randomBytes(11).toString('hex')}`
    const response = await fetch(`${system.baseUrl()}${path}`, { headers: { 'User-Agent': word(300) } })
    await response.body?.cancel()
  }
}

it(`${requestsCount} random paths and user agents add at most 50 series, and no line is longer than 1 KB`, async () => {
  // One request of every kind creates the series that are expected.
  await sendAll(0, 2 * pipelined)
  await askForPages(10)
  const before = await allSeries()
  const pages = requestsCount / 100
  const share = (requestsCount - pages) / connections
  const pagesDone = askForPages(pages)
  const responded = await Promise.all(
    Array.from({ length: connections }, (_, index) => sendAll(index * share, (index + 1) * share)),
  )
  await pagesDone
  expect(responded.reduce((total, one) => total + one, 0)).toBe(requestsCount - pages)
  const added = [...(await allSeries())].filter((series) => !before.has(series))
  expect(added.length, added.join('\n')).toBeLessThanOrEqual(50)
  expect(before.size).toBeLessThan(5_000)

  const lines = system.processes.flatMap(({ output }) => output().split('\n'))
  expect(lines.length).toBeGreaterThanOrEqual(requestsCount)
  // The stack of an error, as when a busy machine connects to its database too late, is longer than any request's line.
  const long = lines.filter((line) => Buffer.byteLength(line) > 1_024)
  expect(long.filter((line) => !line.includes('"err":{'))).toEqual([])
})
