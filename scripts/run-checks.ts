import type { Check } from './checks.js'

/** The result of a check. */
export interface CheckResult {
  readonly name: string
  readonly problems: readonly string[]
  readonly seconds: number
}

async function run(check: Check, now: () => number): Promise<CheckResult> {
  const startedAt = now()
  const problems = await check.run().catch((error: unknown) => [`could not run: ${String(error)}`])
  return { name: check.name, problems, seconds: (now() - startedAt) / 1000 }
}

/** Runs checks in order, `atOnce` of them in parallel, and reports each result as it comes. */
export async function runChecks(
  checks: readonly Check[],
  { atOnce, now, report }: { atOnce: number; now: () => number; report: (result: CheckResult) => void },
): Promise<readonly CheckResult[]> {
  const waiting = [...checks]
  const results: CheckResult[] = []
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await run(next, now)
      results.push(result)
      report(result)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return results
}
