import { readFile } from 'node:fs/promises'
import { testSummary } from './test-summary.js'

const [path] = process.argv.slice(2)
const summary = testSummary(path === undefined ? null : await readFile(path, 'utf8').catch(() => null))
console.log(`${summary.passed} passed, ${summary.failed} failed`)
process.exitCode = summary.failed === 0 ? 0 : 1
