import { allChecks } from './checks.js'
import { writeClientTypes } from './client-types.js'
import { runChecks } from './run-checks.js'

const startedAt = Date.now()
// The compiler needs them, and git doesn't keep them.
await writeClientTypes('.')
const results = await runChecks(allChecks('.'), {
  atOnce: 2,
  now: Date.now,
  report: ({ name, problems, seconds }) => {
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds.toFixed(1)} s)`)
    if (problems.length > 0) console.log(`\n${problems.join('\n')}\n`)
  },
})
const failed = results.filter(({ problems }) => problems.length > 0).map(({ name }) => name)
const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
console.log(
  failed.length === 0
    ? `All ${results.length} checks hold (${seconds} s).`
    : `${failed.length} of ${results.length} checks failed: ${failed.join(', ')} (${seconds} s).`,
)
process.exitCode = failed.length === 0 ? 0 : 1
