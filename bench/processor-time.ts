import { readdir, readFile } from 'node:fs/promises'

/** Linux tells processor time in hundredths of a second, whatever its clock does. */
const microsPerTick = 10_000

interface Stat {
  readonly parent: number
  /** Of the process, and of those of its children that have ended. */
  readonly ticks: number
}

async function readStat(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  if (text === null) return null
  // The name of the program stands in parentheses and may hold anything; the state is the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [utime, stime, ofChildren, sysOfChildren] = fields.slice(11, 15).map(Number)
  return {
    parent: Number(fields[1]),
    ticks: (utime ?? 0) + (stime ?? 0) + (ofChildren ?? 0) + (sysOfChildren ?? 0),
  }
}

/**
 * The processor time that processes have used up so far, with all that descend from them, in microseconds.
 * @throws Error where there is no /proc as Linux has it.
 */
export async function processorMicros(pids: readonly number[]): Promise<number> {
  const all = new Map<number, Stat>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readStat(Number(name))
    if (stat !== null) all.set(Number(name), stat)
  }
  const counted = new Set(pids)
  // A child may come before its parent in the list.
  for (let before = -1; before !== counted.size; ) {
    before = counted.size
    for (const [pid, { parent }] of all) if (counted.has(parent)) counted.add(pid)
  }
  let ticks = 0
  for (const pid of counted) ticks += all.get(pid)?.ticks ?? 0
  return ticks * microsPerTick
}

/** The processor time that everything on this machine has used up so far, in microseconds. */
export async function machineMicros(): Promise<number> {
  const [, ...fields] = (/^cpu .*/m.exec(await readFile('/proc/stat', 'latin1'))?.[0] ?? '').split(/ +/)
  // Interrupts as well: processes are charged with those that come while they run.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields.map(Number)
  return (user + nice + system + irq + softirq) * microsPerTick
}
