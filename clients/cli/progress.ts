import { readableSize } from '#libs/core/readable-text.js'
import { optimizeAgain } from './frugal-transfer.js'
import type { Terminal } from './terminal.js'

/** Shows the progress of a transfer. */
export interface Progress {
  /** Sets the number of bytes transferred; it drops when a retry starts over. */
  at(bytes: number): void
  end(): void
}

const none: Progress = { at: () => undefined, end: () => undefined }

/** Shorter transfers show nothing. */
const quietMs = 1_000
const redrawMs = 100

function bar(share: number, width: number): string {
  const full = Math.round(Math.min(1, share) * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)}%`
}

/** A progress bar on a terminal's stderr for transfers of more than a second. */
export function showProgress(
  terminal: Terminal,
  label: string,
  totalBytes: number | null,
  isOff: boolean,
): Progress {
  const { stderr } = terminal
  if (isOff || stderr.isTTY !== true) return none
  let bytes = 0
  let isDrawn = false
  const draw = (): void => {
    isDrawn = true
    const size = readableSize(bytes)
    const text =
      totalBytes === null || totalBytes === 0
        ? `${label} ${size}`
        : `${label} ${bar(bytes / totalBytes, 24)} ${size}`
    stderr.write(`\r\u001b[2K${text.slice(0, (stderr.columns ?? 80) - 1)}`)
  }
  let redraw: NodeJS.Timeout | undefined
  const begin = setTimeout(() => {
    draw()
    redraw = setInterval(draw, redrawMs).unref()
  }, quietMs).unref()
  return {
    at(count) {
      bytes = count
    },
    end() {
      clearTimeout(begin)
      clearInterval(redraw)
      if (isDrawn) stderr.write('\r\u001b[2K')
      isDrawn = false
    },
  }
}

/**
 * The same bar for work that blocks the event loop: it is drawn when the work reports its progress.
 */
export function showWork<Result>(
  { stderr }: Terminal,
  label: string,
  isOff: boolean,
  run: (onProgress: (share: number) => void) => Result,
): Result {
  optimizeAgain()
  if (isOff || stderr.isTTY !== true) return run(() => undefined)
  let drawAt = performance.now() + quietMs
  let isDrawn = false
  const draw = (share: number): void => {
    const now = performance.now()
    if (now < drawAt) return
    drawAt = now + redrawMs
    isDrawn = true
    stderr.write(`\r\u001b[2K${`${label} ${bar(share, 24)}`.slice(0, (stderr.columns ?? 80) - 1)}`)
  }
  try {
    return run(draw)
  } finally {
    if (isDrawn) stderr.write('\r\u001b[2K')
  }
}
