import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A test's own server, which it can stop, freeze and restart. */
export interface TestProcess {
  /** Ends it like a crash. */
  kill(): Promise<void>
  /** Suspends it, as if its machine had stopped. */
  freeze(): void
  thaw(): void
  /** Starts it again on the same port, after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Kills a process, and resolves when it is gone. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
}

/** Starts a server with `start`, which resolves when it listens; its folder is deleted when it stops. */
export async function startTestProcess(
  name: string,
  start: (folder: string) => Promise<ChildProcess>,
): Promise<TestProcess> {
  const folder = mkdtempSync(join(tmpdir(), `snipkeep-${name}-`))
  let child: ChildProcess | null = null
  const restart = async (): Promise<void> => {
    child = await start(folder)
  }
  const kill = async (): Promise<void> => {
    if (child !== null) await killProcess(child)
  }

  // A test run that ends early leaves nothing running.
  const onExit = (): void => void child?.kill('SIGKILL')
  process.once('exit', onExit)
  await restart()
  return {
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    restart,
    async stop() {
      await kill()
      process.off('exit', onExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
