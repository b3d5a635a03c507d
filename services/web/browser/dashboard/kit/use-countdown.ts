import { useEffect, useState } from 'react'

/** Counts down `seconds` to 0, starting over when `start` changes. */
export function useCountdown(seconds: number, start: unknown): number {
  const [left, setLeft] = useState(seconds)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `start` only says when to begin again
  useEffect(() => {
    const endsAt = Date.now() + seconds * 1_000
    const update = (): void => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000)))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [seconds, start])
  return left
}
