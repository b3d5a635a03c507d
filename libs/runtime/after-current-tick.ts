/** A function that resolves after the current event loop tick, when everything received has been handled. */
export function createAfterCurrentTick(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () => {
    end ??= new Promise((resolve) => {
      setImmediate(() => {
        end = null
        resolve()
      })
    })
    return end
  }
}
