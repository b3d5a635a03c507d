import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A machine of one core, and of limited memory if this user may limit it. */
export interface Confinement {
  /** The command that starts a program so that it and its descendants are confined. */
  readonly command: readonly string[]
  /** Whether the kernel itself ends what takes more memory. */
  readonly boundsMemory: boolean
  /** How many processes the kernel has ended for want of memory; 0 where it does not bound it. */
  killed(): Promise<number>
  /** Once nothing runs in it any more. */
  remove(): Promise<void>
}

/** Files of a cgroup: where new ones are made, the bounds, and where the count of the killed is. */
interface MemoryFiles {
  readonly parent: string
  readonly bounds: (bytes: number) => readonly (readonly [name: string, value: string])[]
  readonly events: string
}

const root = '/sys/fs/cgroup'

/** The files of version 2 where the whole of `/sys/fs/cgroup` is one, and those of version 1 otherwise. */
async function memoryFiles(): Promise<MemoryFiles> {
  const isUnified = await access(join(root, 'cgroup.controllers')).then(
    () => true,
    () => false,
  )
  if (isUnified) {
    return {
      parent: root,
      bounds: (bytes) => [
        ['memory.max', String(bytes)],
        ['memory.swap.max', '0'],
      ],
      events: 'memory.events',
    }
  }
  const groups = await readFile('/proc/self/cgroup', 'utf8').catch(() => '')
  const ours = /^\d+:(?:[^:\n]*,)?memory(?:,[^:\n]*)?:(.*)$/m.exec(groups)?.[1] ?? '/'
  return {
    parent: join(root, 'memory', ours),
    bounds: (bytes) => [['memory.limit_in_bytes', String(bytes)]],
    events: 'memory.oom_control',
  }
}

/** The number after `oom_kill` in a file of events. */
export function oomKills(events: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(events)?.[1] ?? 0)
}

const oneCore = ['taskset', '-c', '0']

/**
 * Bounds memory by a cgroup of its own where this user may make one, and says so where not. The core is the first one,
 * so that whoever makes the load has the others.
 */
export async function confine(memoryBytes: number): Promise<Confinement> {
  const { parent, bounds, events } = await memoryFiles()
  const group = join(parent, `snipkeep-bench-${process.pid}`)
  try {
    await mkdir(group)
    for (const [name, value] of bounds(memoryBytes)) await writeFile(join(group, name), value)
  } catch (error) {
    await rmdir(group).catch(() => {})
    console.log(`Memory is not bounded, only measured: no cgroup can be made (${String(error)}).`)
    return { command: oneCore, boundsMemory: false, killed: async () => 0, remove: async () => {} }
  }
  const enter = ['sh', '-c', 'echo $$ > "$0" && exec "$@"', join(group, 'cgroup.procs')]
  return {
    command: [...enter, ...oneCore],
    boundsMemory: true,
    killed: async () => oomKills(await readFile(join(group, events), 'utf8')),
    remove: () => rmdir(group),
  }
}
