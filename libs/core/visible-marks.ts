/** Invisible characters that can change the direction of the text around them; they are shown as code points. */
const bidirectional = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

/** Text that cannot change the direction of its line: direction marks are shown as code points. */
export function visibleMarks(text: string): string {
  return text.replace(
    bidirectional,
    (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  )
}
