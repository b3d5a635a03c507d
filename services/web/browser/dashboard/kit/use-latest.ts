import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * A function that stays the same and does what this one does as of the last rendering, for rows that are not rendered
 * again.
 */
export function useLatest<Args extends readonly unknown[]>(
  call: (...args: Args) => void,
): (...args: Args) => void {
  const latest = useRef(call)
  useLayoutEffect(() => {
    latest.current = call
  })
  return useCallback((...args: Args) => latest.current(...args), [])
}
