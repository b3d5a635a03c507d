/** Invisible characters that can change the direction of the text around them; they are shown as code points. */
const bidirectional = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

/** Text that cannot change the direction of its line: direction marks are shown as code points. */
export function visibleMarks(text: string): string {
  return text.replace(
    bidirectional,
    (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}

const units: readonly (readonly [number, string])[] = [
  [1_073_741_824, 'GB'],
  [1_048_576, 'MB'],
  [1_024, 'KB'],
]

/** A size in the largest unit that it fills, rounded up, so that a size over a limit never looks like the limit. */
export function sizeInUnit(bytes: number): readonly [value: number, unit: string | null] {
  const unit = units.find(([size]) => bytes >= size)
  return unit === undefined ? [bytes, null] : [Math.ceil((bytes / unit[0]) * 10) / 10, unit[1]]
}

/** A size for people, such as `1.4 MB`. */
export function readableSize(bytes: number): string {
  const [value, unit] = sizeInUnit(bytes)
  return unit === null
    ? `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`
    : `${value} ${unit}`
}
