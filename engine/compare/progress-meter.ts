/** Tells how far a comparison has come, where that makes a difference of one in a hundred. */
export interface ProgressMeter {
  /** So much is done. */
  at(done: number): void
}

/** The approximate share of a comparison that reading both documents takes. */
const readingShare = 0.9

/** A meter of what is read of both documents, in any unit. */
export function createProgressMeter(
  onProgress: ((share: number) => void) | undefined,
  total: number,
): ProgressMeter {
  if (onProgress === undefined) return { at: () => undefined }
  const step = total / (readingShare * 100)
  let due = step
  return {
    at(done) {
      if (done < due) return
      due = done + step
      onProgress((readingShare * done) / total)
    },
  }
}
