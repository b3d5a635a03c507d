/** An image that was sent as text. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly sizeBytes: number
  /** A `data:` URL; `null` if it has too many pixels or bytes to draw. */
  readonly url: string | null
}

/** More pixels may take more memory than a page has, however small the file is. */
const pixelsMax = 25_000_000
/** The largest image drawn, in base64 characters. */
const lengthMax = 16_777_216
/** How much base64 is read to find the size: in a JPEG it comes after the camera's metadata. */
const headLength = 1_048_576

/** With few parameters: any number of them would overflow the stack of regular expressions. */
const dataUrl = /^\s*data:image\/(?:png|jpe?g|gif|webp)(?:;[^,;]{0,100}){0,16};base64,/i

type Head = Pick<Picture, 'type' | 'width' | 'height'>

function startsWith(bytes: Uint8Array, start: number, text: string): boolean {
  return Array.from(text).every((unit, index) => bytes[start + index] === unit.charCodeAt(0))
}

function jpegSize(view: DataView): readonly [number, number] | null {
  for (let at = 2; at + 9 < view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)]
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return null
}

function webpSize(bytes: Uint8Array, view: DataView): readonly [number, number] | null {
  if (startsWith(bytes, 12, 'VP8X')) {
    const threeBytes = (at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536 + 1
    return [threeBytes(24), threeBytes(27)]
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true)
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
  }
  return startsWith(bytes, 12, 'VP8 ')
    ? [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
    : null
}

/** The first frame of a GIF may be larger than its screen, and browsers draw all of it. */
function gifSize(view: DataView): readonly [number, number] {
  const [width, height] = [view.getUint16(6, true), view.getUint16(8, true)]
  const flags = view.getUint8(10)
  let at = 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))
  // Extensions are length-prefixed blocks, up to an empty one.
  for (; at + 9 < view.byteLength && view.getUint8(at) === 0x21; at += 1)
    for (at += 2; at + 9 < view.byteLength && view.getUint8(at) !== 0; ) at += 1 + view.getUint8(at)
  if (at + 9 > view.byteLength || view.getUint8(at) !== 0x2c) return [width, height]
  return [Math.max(width, view.getUint16(at + 5, true)), Math.max(height, view.getUint16(at + 7, true))]
}

/** The bytes behind Base64 of either alphabet without white space; `null` if it is invalid. */
function base64Bytes(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (unit) => unit.charCodeAt(0))
  } catch {
    return null
  }
}

/** Reads the format and size from the first bytes of an image; `null` for anything else. */
function pictureHead(bytes: Uint8Array): Head | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const head = (type: Head['type'], size: readonly [number, number] | null): Head | null =>
    size === null ? null : { type, width: size[0], height: size[1] }
  if (bytes.length < 24) return null
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n'))
    return head('image/png', [view.getUint32(16), view.getUint32(20)])
  if (startsWith(bytes, 0, 'GIF8')) return head('image/gif', gifSize(view))
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return head('image/jpeg', jpegSize(view))
  if (bytes.length >= 30 && startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP'))
    return head('image/webp', webpSize(bytes, view))
  return null
}

/** Whether a text begins as an image does, as Base64 or in a `data:` URL. */
export function looksLikePicture(text: string): boolean {
  return dataUrl.test(text) || /^\s*(?:iVBORw0KGgo|\/9j\/|R0lGOD|UklGR)/.test(text)
}

/**
 * The image in a text, as base64 or a `data:` URL; `null` for other text. SVG counts as source, not as an
 * image.
 */
export function readPicture(text: string): Picture | null {
  if (!looksLikePicture(text)) return null
  const prefix = dataUrl.exec(text)?.[0] ?? ''
  const encoded = text
    .slice(prefix.length)
    .replace(/\s+/g, '')
    .replace(/={1,2}$/, '')
  const head = base64Bytes(encoded.slice(0, headLength))
  const read = head === null ? null : pictureHead(head)
  if (read === null || !/^[\w+/-]*$/.test(encoded)) return null
  const isDrawn =
    read.width * read.height <= pixelsMax && encoded.length <= lengthMax && read.width * read.height > 0
  const standard = encoded.replaceAll('-', '+').replaceAll('_', '/')
  const url = isDrawn ? `data:${read.type};base64,${standard}` : null
  return { ...read, sizeBytes: Math.floor((encoded.length * 3) / 4), url }
}
