// A program for the bench: compares two files in a worker thread, and says how long that took and how much memory this
// process had at most.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** A module of the build, which need not exist when this file is checked. */
function built(file) {
  return import(new URL(`../../dist/engine/compare/${file}`, import.meta.url).href)
}

/** What compares, by name: of each the documents as bytes. */
const contenders = {
  async snipkeep() {
    const { compare } = await built('compare.js')
    return (first, second) => compare(first, second)
  },
  async 'snipkeep, patch'() {
    const { toJsonPatch } = await built('to-json-patch.js')
    return (first, second) => toJsonPatch(first, second)
  },
  async jsdiff() {
    const { diffJson } = await import('diff')
    return (first, second) => diffJson(JSON.parse(first.toString()), JSON.parse(second.toString()))
  },
  async jsondiffpatch() {
    const { create } = await import(process.env.JSONDIFFPATCH || 'jsondiffpatch')
    const differ = create({ objectHash: (object) => object.id })
    return (first, second) => differ.diff(JSON.parse(first.toString()), JSON.parse(second.toString()))
  },
  async jd() {
    return (_first, _second, { first, second }) => {
      const { status, error } = spawnSync('jd', [first, second], { stdio: 'ignore' })
      if (status === null || status > 1) throw error ?? new Error(`jd ended with ${status}`)
      return ''
    }
  },
}

/** The most memory that this process had, in MB. */
function peakMb() {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_000
}

if (isMainThread) {
  process.on('message', (task) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: task })
    thread.once('message', (ms) => process.send({ ms, mb: peakMb() }))
    thread.once('error', (error) => process.send({ failure: String(error) }))
  })
  process.on('disconnect', () => process.exit())
} else {
  const run = await contenders[workerData.contender]()
  const [first, second] = [readFileSync(workerData.first), readFileSync(workerData.second)]
  const startedAt = performance.now()
  run(first, second, workerData)
  parentPort.postMessage(performance.now() - startedAt)
}
