import { readdir, readFile } from 'node:fs/promises'

/** Linux reports CPU time in hundredths of a second, whatever its clock rate. */
const microsPerTick = 10_000

interface Stat {
  readonly parent: number
  /** Of the process and its terminated children. */
  readonly ticks: number
}

async function readStat(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  if (text === null) return null
  // The program name is in parentheses and may contain anything; the state is the third field.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [utime, stime, ofChildren, sysOfChildren] = fields.slice(11, 15).map(Number)
  return {
    parent: Number(fields[1]),
    ticks: (utime ?? 0) + (stime ?? 0) + (ofChildren ?? 0) + (sysOfChildren ?? 0),
  }
}

/**
 * The CPU time that processes and all their descendants have used so far, in microseconds.
 * @throws Error without Linux's /proc.
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

/** The CPU time used on this machine so far, in microseconds. */
export async function machineMicros(): Promise<number> {
  const [, ...fields] = (/^cpu .*/m.exec(await readFile('/proc/stat', 'latin1'))?.[0] ?? '').split(/ +/)
  // Including interrupts: processes are charged with those that occur while they run.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields.map(Number)
  return (user + nice + system + irq + softirq) * microsPerTick
}
