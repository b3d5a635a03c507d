import { parentPort, workerData } from 'node:worker_threads'
import { CompareError } from '#libs/compare/comparison.js'
import type { CompareJob, CompareOutcome } from './compare-in-worker.js'
import { compareSides } from './compare-sides.js'

// The thread of one comparison: gets the job as workerData, sends the outcome and exits.

function outcomeOf(job: CompareJob): CompareOutcome {
  try {
    return compareSides(job)
  } catch (error) {
    if (error instanceof CompareError) return { kind: 'refused', code: error.code, message: error.message }
    throw error
  }
}

const outcome = outcomeOf(workerData as CompareJob)
parentPort?.postMessage(outcome, outcome.kind === 'done' ? [outcome.bytes.buffer as ArrayBuffer] : [])
