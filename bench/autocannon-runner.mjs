// Runs one load as instructed and reports the result; see autocannon-load.ts.
import { setPriority } from 'node:os'
import autocannon from 'autocannon'

// Real clients run on other machines; here they must not compete with what is measured.
setPriority(10)

function makeLoad({ baseUrl, connections, seconds, requests, expected }, done) {
  let sent = 0
  let wrong = 0
  let firstWrong = ''
  const look = (status, body) => {
    const right =
      status === expected.status &&
      (expected.bytes === null || Buffer.byteLength(body) === expected.bytes) &&
      body.includes(expected.holds)
    if (right) return
    wrong += 1
    firstWrong ||= `${status} with ${Buffer.byteLength(body)} bytes: ${body.slice(0, 200)}`
  }
  const plain = requests.map(({ headers, ...request }) => {
    const [name, value] = Object.entries(headers).find(([, text]) => text.includes('{fresh}')) ?? []
    const setupRequest = (one) => {
      sent += 1
      return {
        ...one,
        headers: { ...one.headers, [name]: value.replace('{fresh}', `${process.pid}-${sent}`) },
      }
    }
    return { ...request, headers, onResponse: look, ...(name === undefined ? {} : { setupRequest }) }
  })
  autocannon({ url: baseUrl, connections, duration: seconds, requests: plain }, (error, result) => {
    if (error) throw error
    const failed = result.errors + result.timeouts
    done({
      requests: result.requests.total,
      perSecond: result.requests.total / result.duration,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      wrong: wrong + failed,
      firstWrong: failed > 0 ? `${failed} without a response` : firstWrong,
    })
  })
}

process.once('message', (order) =>
  makeLoad(order, (report) => process.send(report, () => process.disconnect())),
)
