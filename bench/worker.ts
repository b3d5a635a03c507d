import { type ChildProcess, fork, type Serializable } from 'node:child_process'

/** A program of the bench in a process of its own. */
export interface Worker {
  /** Sends a message and gives the answer to it; one at a time. */
  ask<Answer>(message: Serializable): Promise<Answer>
  stop(): void
}

/** Starts a program of this folder that answers each message with one, such as `baselines/large-copy.mjs`. */
export function startWorker(script: string, env: Readonly<Record<string, string>>): Worker {
  const child: ChildProcess = fork(`bench/${script}`, [], {
    execArgv: script.endsWith('.ts') ? ['--conditions=snipkeep-source', '--import', 'tsx'] : [],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${script} ended early`)))
  })
  ended.catch(() => {})
  return {
    ask: <Answer>(message: Serializable) => {
      const answer = new Promise<Answer>((resolve) => {
        child.once('message', (given) => resolve(given as Answer))
      })
      child.send(message)
      return Promise.race([answer, ended])
    },
    stop: () => void child.kill(),
  }
}
