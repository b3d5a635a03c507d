import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '#libs/config/read-variables.js'
import { isAlive } from '#libs/runtime/is-alive.js'
import { isDataDirTaken } from './data-dir-lock.js'

/** What the launcher notes of a running system, for `npm run doctor` of the same machine. */
export interface RunningNote {
  /** Of the launcher. */
  readonly pid: number
  /** What each process was given beside the environment of the launcher, by the name of the process. */
  readonly added: Readonly<Record<string, Environment>>
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'running.json')
}

function isEnvironment(value: unknown): value is Environment {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => text === undefined || typeof text === 'string')
  )
}

function isNote(value: unknown): value is RunningNote {
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('added' in value)) return false
  const { pid, added } = value
  return (
    typeof pid === 'number' &&
    typeof added === 'object' &&
    added !== null &&
    Object.values(added).every(isEnvironment)
  )
}

/** Notes what runs; the note holds secrets, and only its owner may read it. */
export async function noteRunning(dataDir: string, note: RunningNote): Promise<void> {
  await rm(noteIn(dataDir), { force: true })
  await writeFile(noteIn(dataDir), JSON.stringify(note), { mode: 0o600, flag: 'wx' })
}

async function readNote(dataDir: string): Promise<RunningNote | null> {
  try {
    const note: unknown = JSON.parse(await readFile(noteIn(dataDir), 'utf8'))
    return isNote(note) ? note : null
  } catch {
    return null
  }
}

/** Forgets what this process noted, when nothing of it runs any more; the note of another one stays. */
export async function forgetRunning(dataDir: string): Promise<void> {
  if ((await readNote(dataDir))?.pid === process.pid) await rm(noteIn(dataDir), { force: true })
}

/**
 * What runs on this data folder; `null` when nothing does, also after a launcher that was killed: another process may
 * have its number by now, but only a launcher holds the folder.
 */
export async function readRunning(dataDir: string): Promise<RunningNote | null> {
  const note = await readNote(dataDir)
  return note !== null && isAlive(note.pid) && (await isDataDirTaken(dataDir)) ? note : null
}
