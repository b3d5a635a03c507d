import { type ChildProcess, fork, type Serializable } from 'node:child_process'

/** A bench program in its own process. */
export interface Worker {
  /** Sends a message and returns the response; one at a time. */
  ask<ApiResponse>(message: Serializable): Promise<ApiResponse>
  stop(): void
}

/** Starts a program of this folder that responds to each message, such as `baselines/large-copy.mjs`. */
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
    ask: <ApiResponse>(message: Serializable) => {
      const response = new Promise<ApiResponse>((resolve) => {
        child.once('message', (given) => resolve(given as ApiResponse))
      })
      child.send(message)
      return Promise.race([response, ended])
    },
    stop: () => void child.kill(),
  }
}
