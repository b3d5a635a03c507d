/** What decides how far down a list of lines can be scrolled. */
export interface ScrollScale {
  readonly lineCount: number
  /** Pixels of a line that is not broken. */
  readonly lineHeight: number
  readonly viewportHeight: number
}

/** Browsers draw nothing beyond some 16 million pixels. */
const heightMax = 8_000_000

/** Pixels that stand for all of the lines: their height, or less of it where there are too many. */
export function scrolledHeight({ lineCount, lineHeight }: ScrollScale): number {
  return Math.min(lineCount * lineHeight, heightMax)
}

function ranges(scale: ScrollScale): { readonly pixels: number; readonly lines: number } {
  return {
    pixels: Math.max(0, scrolledHeight(scale) - scale.viewportHeight),
    lines: Math.max(0, scale.lineCount - scale.viewportHeight / scale.lineHeight),
  }
}

/** The line at the top, and how much of it is passed, when scrolled this far. */
export function lineAt(scrollTop: number, scale: ScrollScale): number {
  const { pixels, lines } = ranges(scale)
  return pixels === 0 ? 0 : (Math.min(Math.max(0, scrollTop), pixels) / pixels) * lines
}

/** How far to scroll so that this line is at the top, or as near to it as the end allows. */
export function scrollTopOf(line: number, scale: ScrollScale): number {
  const { pixels, lines } = ranges(scale)
  return lines === 0 ? 0 : (Math.min(Math.max(0, line), lines) / lines) * pixels
}
