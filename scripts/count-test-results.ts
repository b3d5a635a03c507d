import { readFile } from 'node:fs/promises'
import { testSummary } from './test-summary.js'

const paths = process.argv.slice(2)
const reports = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => null)))
const summary = testSummary(reports)
console.log(`${summary.passed} passed, ${summary.failed} failed`)
process.exitCode = summary.failed === 0 ? 0 : 1
