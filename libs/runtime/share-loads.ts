/** A load that runs, and the one that follows it, if any is wanted. */
interface Running<Result> {
  readonly result: Promise<Result>
  next: Promise<Result> | null
}

/** Resolves when the load has ended, with or without a result, or after this many milliseconds. */
function endedOrLate(load: Promise<unknown>, waitMsMax: number): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, waitMsMax)
    const ended = (): void => {
      clearTimeout(late)
      resolve()
    }
    load.then(ended, ended)
  })
}

/**
 * Loads by key. All requests that come while a load of their key runs share the next one, which begins when that has
 * ended: no result is older than its request, and however many ask, one load of a key runs at a time.
 * @param waitMsMax the next one begins after this time at the latest: a hung load must not delay others.
 */
export function shareLoads<Result>(
  waitMsMax: number,
): (key: string, load: () => Promise<Result>) => Promise<Result> {
  const running = new Map<string, Running<Result>>()

  const start = (key: string, load: () => Promise<Result>): Promise<Result> => {
    const result = load()
    const one: Running<Result> = { result, next: null }
    running.set(key, one)
    const ended = (): void => {
      if (one.next === null && running.get(key) === one) running.delete(key)
    }
    result.then(ended, ended)
    return result
  }

  return (key, load) => {
    const one = running.get(key)
    if (one === undefined) return start(key, load)
    one.next ??= endedOrLate(one.result, waitMsMax).then(() => start(key, load))
    return one.next
  }
}
