/**
 * Runs `work` this many times, `atOnce` in parallel; results are in order. Limits the load on a busy machine.
 */
export async function inParallel<T>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return results
}
