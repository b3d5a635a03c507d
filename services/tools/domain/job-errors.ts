import { DomainError, unavailable } from '#libs/core/domain-error.js'
import type { Job } from './job.js'

function tooLarge(job: Job, reason: string): DomainError {
  const refused = (code: string, remedy: string): DomainError =>
    new DomainError('too-large', code, `${reason} ${remedy}`)
  switch (job.kind) {
    case 'tool':
      return refused(
        'tool_too_large',
        `Run the tool on your machine, at any size: snipkeep tool ${job.name} FILE`,
      )
    case 'comparison':
      return refused('compare_too_large', 'Compare them on your machine, at any size: snipkeep diff A B')
    case 'contract':
      return refused(
        'compare_too_large',
        'Simplify the contract, or judge on your machine, at any size: snipkeep diff A B --contract FILE',
      )
    default:
      return job satisfies never
  }
}

const takers: Readonly<Record<Job['kind'], string>> = {
  tool: 'This input takes too much time or memory here.',
  comparison: 'Comparing these documents takes too much time or memory on the server.',
  contract: 'Judging by this contract takes too much time or memory on the server.',
}

/** 413: the job exceeds the time or memory of a run. */
export function takesTooMuch(job: Job): DomainError {
  return tooLarge(job, takers[job.kind])
}

/** 413: the output is out of proportion to the input. */
export function outputTooLarge(job: Job, bytesMax: number): DomainError {
  const limit = `${Math.floor(bytesMax / 1_000_000)} MB`
  return tooLarge(job, `The output is larger than ${limit}, the most for an input of this size.`)
}

/** 503: no slot became free in time. */
export function allSlotsTaken(): DomainError {
  return unavailable('Too many tools and comparisons are running. Try again shortly.')
}

/** 503: a run that held a slot for long was ended because others waited for it. */
export function endedForOthers(): DomainError {
  return unavailable('The run was ended because it took long and others were waiting. Try again later.')
}

/** 503: outputs of finished jobs that nobody has read yet use up the room for them. */
export function noRoomForOutput(): DomainError {
  return unavailable('Too many outputs are waiting to be read. Try again shortly.')
}

/** 429: this holder already waits for a slot. */
export function alreadyWaiting(): DomainError {
  const message = 'You are already waiting to run a tool or comparison. Wait for one request to finish.'
  return new DomainError('rate-limited', 'rate_limited', message, { limit: 1, retry_after: 1 })
}
