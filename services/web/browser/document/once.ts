/** Computes a value on first use and keeps it. */
export function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | null = null
  return () => {
    made ??= make()
    return made
  }
}
