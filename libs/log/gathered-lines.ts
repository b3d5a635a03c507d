import { destination } from 'pino'

/** Takes whole lines of text. */
export interface Lines {
  write(line: string): void
}

/** Short enough for whoever watches, in milliseconds; a process that is killed loses the lines of that time. */
const gatherMs = 5
const lengthMax = 64 * 1024

/**
 * Hands lines on all together after a moment, as to write each by itself costs more than most refusals.
 * @param out where they go.
 */
export function gatherLines(out: Lines): Lines & {
  /** Hands on at once what is there; for the end of the process. */
  flush(): void
} {
  let gathered = ''
  let waiting = false
  const flush = (): void => {
    const text = gathered
    gathered = ''
    if (text !== '') out.write(text)
  }
  return {
    write(line) {
      gathered += line
      if (gathered.length >= lengthMax) flush()
      if (waiting) return
      waiting = true
      setTimeout(() => {
        waiting = false
        flush()
      }, gatherMs)
    },
    flush,
  }
}

/** Gathered lines on standard output, where those that are left go when the process ends. */
export function gatheredOutput(): Lines {
  const lines = gatherLines(destination({ dest: 1, sync: true }))
  process.once('exit', lines.flush)
  return lines
}
