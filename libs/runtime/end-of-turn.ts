/** A wait for the end of the current turn of the event loop, when all that has been received was looked at. */
export function createEndOfTurn(): () => Promise<void> {
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
