import { readFile, writeFile } from 'node:fs/promises'

const mebibyte = 1_048_576

async function statusBytes(pid: number, field: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes = ''] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? []
  return Number(kilobytes) * 1_024
}

/** What a process took at most during `work` beyond what it had before, in bytes (Linux only). */
export async function memoryGrowth(pids: readonly number[], work: () => Promise<void>): Promise<number[]> {
  const before = await Promise.all(
    pids.map(async (pid) => {
      // Sets the high-water mark back to what the process has now: proc_pid_clear_refs(5).
      await writeFile(`/proc/${pid}/clear_refs`, '5')
      return statusBytes(pid, 'VmRSS')
    }),
  )
  await work()
  const after = await Promise.all(pids.map((pid) => statusBytes(pid, 'VmHWM')))
  return after.map((most, index) => most - (before[index] ?? 0))
}

/** For messages. */
export function mebibytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`
}
