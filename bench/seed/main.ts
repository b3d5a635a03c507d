import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { seedDatabase } from './seed-database.js'
import { usualSnippets } from './seed-plan.js'

const { values } = parseArgs({ options: { rows: { type: 'string', default: String(usualSnippets) } } })
const snippets = Number(values.rows)
if (!Number.isInteger(snippets) || snippets < 10_000)
  throw new Error('--rows must be a number of at least 10000')
execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
await seedDatabase(snippets, (sentence) => console.log(sentence))
