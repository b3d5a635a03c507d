import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { Bench } from './bench.js'
import { coldStart } from './cold-start.js'
import { commandLine } from './command-line.js'
import { connectionsGoal } from './connections-goal.js'
import { createGoal } from './create-goal.js'
import { idle } from './idle-memory.js'
import { large } from './large.js'
import { listGoal } from './list-goal.js'
import { lz4Goal } from './lz4-goal.js'
import { oneOwnerGoal } from './one-owner-goal.js'
import { pageGoal } from './page-goal.js'
import { readGoal } from './read-goal.js'
import { detailsText, figuresTable, machineText } from './results.js'
import { runBenches } from './run-benches.js'
import { shareGoal } from './share-goal.js'
import { sharePageGoal } from './share-page-goal.js'
import { smallMachineGoal } from './small-machine-goal.js'
import { profileBenches } from './studies/profile.js'
import { studies } from './studies/studies.js'
import { writeResults } from './write-results.js'

/** The goals that `--quick` checks. */
const quickGoals: readonly Bench[] = [shareGoal, sharePageGoal, readGoal, createGoal, oneOwnerGoal, listGoal]
/** The benches that run by default. */
const goals: readonly Bench[] = [
  ...quickGoals,
  connectionsGoal,
  pageGoal,
  large,
  lz4Goal,
  idle,
  coldStart,
  commandLine,
  smallMachineGoal,
]

function chosen(names: readonly string[], quick: boolean): readonly Bench[] {
  if (names.length === 0) return quick ? quickGoals : goals
  const all = [...goals, ...studies]
  const unknown = names.filter((name) => !all.some((bench) => bench.name === name))
  if (unknown.length > 0)
    throw new Error(
      `There is no bench ${unknown.join(', ')}, only ${all.map(({ name }) => name).join(', ')}.`,
    )
  return all.filter(({ name }) => names.includes(name))
}

/** Runs the given benches, by default those of the goals, on real processes over the embedded Postgres. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      long: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const { quick, long } = values
  const benches = chosen(positionals, quick)
  execFileSync('npm', ['run', '--silent', 'build'])
  if (values.profile) return profileBenches(benches, { quick, long })
  const results = await runBenches(benches, { quick, long })
  const missed = results.goals.filter(({ holds }) => !holds).map(({ name }) => name)
  console.log(`\n${machineText(results.machine)}\n\n${figuresTable(results.goals)}\n`)
  console.log(`${detailsText(results.goals)}\n`)
  console.log(missed.length === 0 ? 'All goals are met.' : `Missed: ${missed.join('; ')}.`)
  // Only complete runs are saved.
  if (positionals.length === 0 && !quick) await writeResults(results)
  process.exitCode = missed.length === 0 ? 0 : 1
}

await main()
