/** The part of a Node CPU profile that is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

/** The functions of a process by self time. */
export interface HottestFunctions {
  /** The fraction of time in which it was idle. */
  readonly idle: number
  /** The longest first, as fractions of the time in which it was busy. */
  readonly functions: readonly { readonly place: string; readonly share: number }[]
}

function placeOf({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  return `${name} ${url.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')}:${lineNumber + 1}`
}

/**
 * The hottest functions of a profile, including `(garbage collector)` and `(program)`, which is native code.
 */
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
