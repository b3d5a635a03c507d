import { readdir, readFile } from 'node:fs/promises'

/** The memory of one process, or of several with the same name. */
export interface ProcessMemory {
  readonly name: string
  readonly count: number
  /** Private pages. */
  readonly privateMb: number
  /** Pages shared by n processes count 1/n in each of them, whoever the others are. */
  readonly pssMb: number
  /** Shared pages count fully in each process. */
  readonly rssMb: number
}

/** The memory of a process tree. */
export interface TreeMemory {
  /** The largest first, grouped by name. */
  readonly processes: readonly ProcessMemory[]
  /**
   * The total, with each shared page counted once: private memory, and for each shared mapping the largest
   * share of any process in the tree. Unlike the sum of Pss, it does not shrink when unrelated processes run
   * the same program.
   */
  readonly totalMb: number
  readonly pssMb: number
  readonly rssMb: number
}

interface Mapping {
  /** The file and offset, or the address of an anonymous shared mapping. */
  readonly key: string
  readonly sharedKb: number
  readonly privateKb: number
  readonly pssKb: number
  readonly rssKb: number
}

/** The name of a process: the folder of its script, or its program. */
export function processName(commandLine: string): string {
  // Postgres processes write their role into their command line.
  if (commandLine.startsWith('postgres:')) return 'postgres'
  const [program = '', ...rest] = commandLine.split('\0').filter((part) => part !== '')
  const script = rest.find((arg) => /\.m?js$/.test(arg))
  if (script === undefined) return program.split('/').at(-1) ?? program
  return script.endsWith('/start.mjs') ? 'launcher' : (script.split('/').at(-2) ?? script)
}

async function parentOf(pid: string): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  // The program name is in parentheses and may contain anything; the parent is the second field after it.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[1] ?? null
}

/** The ids of a process and of all that descend from it. */
export async function processTree(root: number): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const parents = new Map(await Promise.all(pids.map(async (pid) => [pid, await parentOf(pid)] as const)))
  const counted = new Set([String(root)])
  // A child may come before its parent in the list.
  for (let before = -1; before !== counted.size; ) {
    before = counted.size
    for (const [pid, parent] of parents) if (parent !== null && counted.has(parent)) counted.add(pid)
  }
  return [...counted]
}

/** Parses a file in the format of /proc/PID/smaps. */
export function readMappings(smaps: string): readonly Mapping[] {
  return smaps.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).flatMap((block) => {
    const head = /^([0-9a-f]+)-\S+ \S+ (\S+) (\S+) (\d+)/.exec(block)
    if (head === null) return []
    const [, address, offset, device, inode] = head
    const kb = (field: string): number => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(block)?.[1])
    return [
      {
        key: inode === '0' ? `at ${address}` : `${device} ${inode} ${offset}`,
        sharedKb: kb('Shared_Clean') + kb('Shared_Dirty'),
        privateKb: kb('Private_Clean') + kb('Private_Dirty'),
        pssKb: kb('Pss'),
        rssKb: kb('Rss'),
      },
    ]
  })
}

const megabytes = (kilobytes: number): number => kilobytes / 1_024

function memoryOf(name: string, mappings: readonly Mapping[]): ProcessMemory {
  const sum = (field: 'privateKb' | 'pssKb' | 'rssKb'): number =>
    megabytes(mappings.reduce((total, mapping) => total + mapping[field], 0))
  return { name, count: 1, privateMb: sum('privateKb'), pssMb: sum('pssKb'), rssMb: sum('rssKb') }
}

function together(one: ProcessMemory, other: ProcessMemory): ProcessMemory {
  return {
    name: one.name,
    count: one.count + other.count,
    privateMb: one.privateMb + other.privateMb,
    pssMb: one.pssMb + other.pssMb,
    rssMb: one.rssMb + other.rssMb,
  }
}

/**
 * The current memory of a process and all its descendants.
 * @throws Error without Linux's /proc, or if a process may not be inspected.
 */
export async function memoryOfTree(root: number): Promise<TreeMemory> {
  const byName = new Map<string, ProcessMemory>()
  const shared = new Map<string, number>()
  for (const pid of await processTree(root)) {
    const name = processName(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
    // A process that has just ended has no mappings any more.
    const mappings = readMappings(await readFile(`/proc/${pid}/smaps`, 'latin1').catch(() => ''))
    for (const { key, sharedKb } of mappings) shared.set(key, Math.max(sharedKb, shared.get(key) ?? 0))
    const one = memoryOf(name, mappings)
    const known = byName.get(name)
    byName.set(name, known === undefined ? one : together(known, one))
  }
  const processes = [...byName.values()].sort((a, b) => b.privateMb - a.privateMb)
  const sum = (field: 'privateMb' | 'pssMb' | 'rssMb'): number =>
    processes.reduce((total, process) => total + process[field], 0)
  const sharedMb = megabytes([...shared.values()].reduce((total, kilobytes) => total + kilobytes, 0))
  return { processes, totalMb: sum('privateMb') + sharedMb, pssMb: sum('pssMb'), rssMb: sum('rssMb') }
}
