import { expect, it } from 'vitest'
import { hash } from '#engine/tools/encoding/hash.js'
import * as hashes from './node-hashes.js'

const names = {
  'sha-256': hashes.sha256,
  'sha-384': hashes.sha384,
  'sha-512': hashes.sha512,
  'sha3-256': hashes.sha3_256,
  'sha3-512': hashes.sha3_512,
  'sha-1': hashes.sha1,
  md5: hashes.md5,
}

it.each(Object.entries(names))('%s of Node is that of the tool', async (algorithm, { create }) => {
  const bytes = Uint8Array.from({ length: 1_000 }, (_byte, at) => (at * 31) % 256)
  const run = await hash.load()
  async function* input() {
    yield bytes
  }
  const pieces: Uint8Array[] = []
  for await (const piece of run(input(), { algorithm })) pieces.push(piece)
  const state = create()
  for (const part of [bytes.subarray(0, 400), bytes.subarray(400)]) state.update(part)
  expect(hashes.bytesToHex(state.digest())).toBe(Buffer.concat(pieces).toString().trim())
})
