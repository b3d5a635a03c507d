/** What the profiler of Node tells of a process, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The functions of a process by the time that they took themselves. */
export interface HottestFunctions {
  /** The share of the time in which it had nothing to do. */
  readonly idle: number
  /** The longest first; shares are of the time in which it had something to do. */
  readonly functions: readonly { readonly place: string; readonly share: number }[]
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  return `${name} ${url.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')}:${lineNumber + 1}`
}

/** So many functions of a profile, with `(garbage collector)` and `(program)`, which is native code. */
export function hottestFunctions(
  { nodes, samples, timeDeltas }: CpuProfile,
  count: number,
): HottestFunctions {
  const placeOfNode = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const micros = new Map<string, number>()
  for (const [index, id] of samples.entries()) {
    const place = placeOfNode.get(id) ?? '(unknown)'
    micros.set(place, (micros.get(place) ?? 0) + Math.max(0, timeDeltas[index] ?? 0))
  }
  const idle = micros.get('(idle)') ?? 0
  micros.delete('(idle)')
  const busy = [...micros.values()].reduce((sum, one) => sum + one, 0)
  const hottest = [...micros].sort(([, one], [, other]) => other - one).slice(0, count)
  return {
    idle: idle / (busy + idle || 1),
    functions: hottest.map(([place, one]) => ({ place, share: one / (busy || 1) })),
  }
}
