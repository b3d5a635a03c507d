import { createDecipheriv, pbkdf2Sync } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { parseJson } from './fetch-source.js'
import {
  type ImportedItem,
  ImportFormatError,
  itemOf,
  listIn,
  objectIn,
  type SourceFile,
  textIn,
  textOrEmpty,
} from './imported-item.js'

/** The address of a paste: where to fetch it, and the key that never leaves this machine. */
export interface PasteAddress {
  readonly server: string
  readonly id: string
  readonly key: Buffer
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const keyBytes = 32

/**
 * The key of a paste, as its address has it after `#`.
 * @throws ImportFormatError
 */
export function pasteKey(text: string): Buffer {
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit === -1) throw new ImportFormatError('The key after # is not complete.')
    value = value * 58n + BigInt(digit)
  }
  const hex = value.toString(16).padStart(2 * keyBytes, '0')
  if (hex.length > 2 * keyBytes) throw new ImportFormatError('The key after # is too long.')
  return Buffer.from(hex, 'hex')
}

/**
 * Reads `https://bin.example/?ID#KEY`. A key of a paste that asks before it is burnt begins with `-`.
 * @throws ImportFormatError
 */
export function pasteAddress(address: string): PasteAddress {
  if (!URL.canParse(address)) throw new ImportFormatError(`This is not a URL: ${address}`)
  const { origin, pathname, search, hash } = new URL(address)
  const [, id] = /^\?(?:pasteid=)?([0-9a-f]{16})(?:&|$)/.exec(search) ?? []
  const [, key] = /^#-?([^&]+)/.exec(hash) ?? []
  if (id === undefined || key === undefined)
    throw new ImportFormatError('The address of a paste is https://…/?ID#KEY, with the key.')
  return { server: `${origin}${pathname}`, id, key: pasteKey(key) }
}

/** How a paste is encrypted: the first part of `adata`. */
interface Encryption {
  readonly iv: Buffer
  readonly salt: Buffer
  readonly iterations: number
  readonly tagBytes: number
  readonly compression: string
}

/** A hostile server shall not keep this machine busy. */
const iterationsMax = 10_000_000
const textBytesMax = 104_857_600

function encryptionOf(value: unknown): Encryption {
  const [iv, salt, iterations, keySize, tagSize, algorithm, mode, compression] = listIn(value, 'adata')
  if (algorithm !== 'aes' || mode !== 'gcm' || keySize !== 8 * keyBytes)
    throw new ImportFormatError('This paste is encrypted in an unknown way.')
  const isCount =
    Number.isInteger(iterations) && Number(iterations) > 0 && Number(iterations) <= iterationsMax
  if (!isCount || (tagSize !== 128 && tagSize !== 96))
    throw new ImportFormatError('This paste is encrypted with unusual settings.')
  return {
    iv: Buffer.from(textIn(iv, 'The iv'), 'base64'),
    salt: Buffer.from(textIn(salt, 'The salt'), 'base64'),
    iterations: Number(iterations),
    tagBytes: tagSize / 8,
    compression: textIn(compression, 'The compression'),
  }
}

function inflated(bytes: Buffer, compression: string): Buffer {
  if (compression === 'none') return bytes
  if (compression !== 'zlib') throw new ImportFormatError(`Unknown compression: ${compression}`)
  try {
    return inflateRawSync(bytes, { maxOutputLength: textBytesMax })
  } catch {
    throw new ImportFormatError(
      `The paste is not compressed as it says, or has more than ${textBytesMax} bytes.`,
    )
  }
}

/**
 * The bytes that a password may have been: PrivateBin's own page takes the lower one of each character, other clients
 * take UTF-8.
 */
function passwordBytes(password: string): readonly Buffer[] {
  const ofPage = Buffer.from(Array.from(password, (character) => character.charCodeAt(0)))
  const utf8 = Buffer.from(password)
  return ofPage.equals(utf8) ? [utf8] : [ofPage, utf8]
}

/** @returns `null` for a wrong key or password. */
function deciphered(ct: Buffer, adata: unknown, encryption: Encryption, passphrase: Buffer): Buffer | null {
  const { iv, salt, iterations, tagBytes } = encryption
  const key = pbkdf2Sync(passphrase, salt, iterations, keyBytes, 'sha256')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(JSON.stringify(adata)))
    decipher.setAuthTag(ct.subarray(-tagBytes))
    return Buffer.concat([decipher.update(ct.subarray(0, -tagBytes)), decipher.final()])
  } catch {
    return null
  }
}

/** @throws ImportFormatError for a wrong key or password. */
function decrypt(ct: Buffer, adata: unknown, key: Buffer, password: string): string {
  const encryption = encryptionOf(listIn(adata, 'adata')[0])
  for (const bytes of passwordBytes(password)) {
    const plain = deciphered(ct, adata, encryption, Buffer.concat([key, bytes]))
    if (plain !== null) return inflated(plain, encryption.compression).toString()
  }
  throw new ImportFormatError('The key or the password is wrong, or the paste was changed.')
}

const formats: Readonly<Record<string, string>> = {
  markdown: 'md',
  syntaxhighlighting: 'txt',
  plaintext: 'txt',
}

/** Attachments as text: `data` of a snippet has no bytes. */
function attachmentsOf({
  attachment,
  attachment_name: name,
}: Readonly<Record<string, unknown>>): SourceFile[] {
  const urls = Array.isArray(attachment) ? attachment : attachment === undefined ? [] : [attachment]
  const names = Array.isArray(name) ? name : [name]
  return urls.map((url, index) => ({
    name: textOrEmpty(names[index]) || `attachment-${index + 1}`,
    text: textIn(url, 'An attachment'),
    language: '',
  }))
}

/**
 * A paste as PrivateBin responds to `GET ?ID` in format 2, decrypted.
 * @param password of the paste; empty if it has none.
 * @throws ImportFormatError
 */
export function parsePrivateBin(
  value: unknown,
  { id, key }: Omit<PasteAddress, 'server'>,
  password: string,
): ImportedItem {
  const paste = objectIn(value, 'The paste')
  if (paste.status === 1) throw new ImportFormatError(textOrEmpty(paste.message) || 'The paste is gone.')
  if (paste.v !== 2)
    throw new ImportFormatError('Only pastes of format 2 (since PrivateBin 1.3) can be imported.')
  const plain = decrypt(Buffer.from(textIn(paste.ct, 'ct'), 'base64'), paste.adata, key, password)
  const content = objectIn(parseJson(plain, 'The content of the paste'), 'The content of the paste')
  const format = String(listIn(paste.adata, 'adata')[1])
  const text = { name: `paste.${formats[format] ?? 'txt'}`, text: textOrEmpty(content.paste), language: '' }
  const attachments = attachmentsOf(content)
  const files = text.text === '' && attachments.length > 0 ? attachments : [text, ...attachments]
  const title = `Paste ${id}`
  return itemOf({ service: 'privatebin', id, title, tags: ['privatebin'], files })
}
