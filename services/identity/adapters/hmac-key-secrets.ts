import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { newApiKey } from '#shared/api-key/api-key-format.js'
import type { KeyDigest } from '../domain/api-key.js'
import type { KeySecrets } from '../ports.js'

/** A server secret for hashing API keys; its version is stored with each hash. */
export interface Pepper {
  readonly version: number
  readonly secret: string
}

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const versionBytes = 4

/**
 * The encryption key of one stored response: it derives from the pepper and the caller's idempotency key, neither of
 * which is stored with it.
 */
function sealingKey({ secret }: Pepper, account: string, idempotencyKey: string): Buffer {
  const context = JSON.stringify(['api key answer', account, idempotencyKey])
  return Buffer.from(hkdfSync('sha256', secret, '', createHash('sha256').update(context).digest(), 32))
}

/**
 * API keys as HMAC-SHA-256 hashes (RFC 2104) with a pepper. The first pepper creates new hashes; the others find
 * existing ones. Stored responses are encrypted with AES-256-GCM.
 */
export function hmacKeySecrets(peppers: readonly [Pepper, ...Pepper[]]): KeySecrets {
  const digestWith =
    (key: string) =>
    ({ version, secret }: Pepper): KeyDigest => ({
      digest: createHmac('sha256', secret).update(key).digest('hex'),
      pepperVersion: version,
    })
  const [newest, ...older] = peppers
  return {
    create: newApiKey,
    digests: (key) => [digestWith(key)(newest), ...older.map(digestWith(key))],
    digestOf: (account, idempotencyKey) =>
      createHash('sha256')
        .update(JSON.stringify([account, idempotencyKey]))
        .digest('hex'),
    seal(account, idempotencyKey, text) {
      const nonce = randomBytes(nonceBytes)
      const sealing = createCipheriv(cipher, sealingKey(newest, account, idempotencyKey), nonce)
      const version = Buffer.alloc(versionBytes)
      version.writeUInt32BE(newest.version)
      const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()])
      return Buffer.concat([version, nonce, sealing.getAuthTag(), sealed])
    },
    open(account, idempotencyKey, sealed) {
      const bytes = Buffer.from(sealed)
      const pepper = peppers.find(({ version }) => version === bytes.readUInt32BE(0))
      if (pepper === undefined) return null
      const nonce = bytes.subarray(versionBytes, versionBytes + nonceBytes)
      const opening = createDecipheriv(cipher, sealingKey(pepper, account, idempotencyKey), nonce, {
        authTagLength: tagBytes,
      })
      const textAt = versionBytes + nonceBytes + tagBytes
      opening.setAuthTag(bytes.subarray(versionBytes + nonceBytes, textAt))
      return Buffer.concat([opening.update(bytes.subarray(textAt)), opening.final()]).toString('utf8')
    },
  }
}
