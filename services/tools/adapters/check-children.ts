import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { messageOf } from '#libs/core/message-of.js'
import { type Finding, ok, problem, skipped, warning } from '#libs/doctor/finding.js'
import { boundsOf, type ToolJob } from '../domain/job.js'
import { createChildPool } from './child-pool.js'
import { type JobChild, jobEntry, startChild } from './child-process.js'
import { childRunner } from './child-runner.js'
import { fileSpools } from './file-spools.js'

const job: ToolJob = { kind: 'tool', name: 'json-minify', options: {} }
const bounds = boundsOf('small', job)

/** Checks whether a child process starts and runs a job, as the service has it do. */
export async function checkJob(
  start: () => Promise<JobChild> = () => startChild(jobEntry, bounds),
): Promise<Finding> {
  const check = 'jobs'
  const pool = createChildPool(start)
  async function* input() {
    yield Buffer.from('[ 1 ]')
  }
  try {
    const output: Uint8Array[] = []
    const { signal } = new AbortController()
    const run = { job, bounds, inputs: [input()], onNote: () => {}, signal }
    for await (const chunk of childRunner(pool).run(run)) output.push(chunk)
    const text = Buffer.concat(output).toString('utf8')
    if (text === '[1]') return ok(check, 'a child process ran a job')
    return problem(check, `a child process answered a job with ${text}`, 'reinstall the release')
  } catch (error) {
    const remedy =
      'allow this process more processes and memory (ulimit -u, pids and memory of its container)'
    return problem(check, `a child process could not run a job: ${messageOf(error)}`, remedy)
  } finally {
    pool.close()
  }
}

/** Checks whether the address space of children can be limited. */
export async function checkAddressLimits(platform: string, program = 'prlimit'): Promise<Finding> {
  const check = 'limits of jobs'
  if (platform !== 'linux') return skipped(check, 'outside Linux only the heap of a job is limited')
  try {
    await promisify(execFile)(program, ['--pid', String(process.pid), '--as'])
    return ok(check, `${program} limits heap and address space`)
  } catch (error) {
    const message = `${program} does not run, so only the heap of a job is limited: ${messageOf(error)}`
    return warning(check, message, `install util-linux, which has ${program}`)
  }
}

/** More than a spool keeps in memory. */
const spooled = 2_097_152

/** Checks whether outputs can wait for slow readers in the temporary folder. */
export async function checkSpools(bytesMax = 2 * spooled): Promise<Finding> {
  const check = 'outputs of jobs'
  const spool = fileSpools(bytesMax).open()
  try {
    await spool.write(Buffer.alloc(spooled))
    return ok(check, `wait for their readers in ${tmpdir()}`)
  } catch (error) {
    const message = `cannot be kept in ${tmpdir()}: ${messageOf(error)}`
    return problem(check, message, 'make it a folder that this process may write to, or set TMPDIR to one')
  } finally {
    await spool.close()
  }
}
