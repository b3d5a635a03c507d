import { request } from 'node:http'
import { setPriority } from 'node:os'
import { Readable } from 'node:stream'
import { uploadBodies } from './upload-bodies.js'

/** What to do: upload this body this many times in parallel. */
export interface UploadOrder {
  readonly url: string
  readonly token: string
  readonly load: string
  readonly count: number
}

const proBytes = 52_428_800

/** Uploads a body from a generator, so that it is never in memory as a whole. */
function upload({ url, token, load }: UploadOrder): Promise<number> {
  return new Promise((resolve, reject) => {
    let responded = false
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const outgoing = request(url, { method: 'POST', headers }, (response) => {
      responded = true
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', (error) => {
      if (!responded) reject(error)
    })
    const source = Readable.from(uploadBodies(proBytes)[load]?.() ?? [])
    outgoing.on('close', () => source.destroy())
    source.on('error', () => {})
    source.pipe(outgoing)
  })
}

// Real clients run on other machines; here they must not compete with what is measured.
setPriority(10)
process.once('message', async (order: UploadOrder) => {
  const statuses = await Promise.all(Array.from({ length: order.count }, () => upload(order)))
  process.send?.(statuses, () => process.disconnect())
})
