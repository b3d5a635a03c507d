const placeOf = ({ functionName, url, lineNumber }) => {
  const name = functionName === '' ? '(anonymous)' : functionName
  if (url === '') return name
  const file = url.replace(/^file:\/\//, '').replace(`${process.cwd()}/`, '')
  return `${name} ${file}:${lineNumber + 1}`
}

/**
 * The functions of a profile by the time that they took themselves, the longest first, with `(garbage collector)` and
 * `(program)`, which is native code; shares are of the time that the process was not idle, and idle is a share of all.
 */
export function hottestFunctions({ nodes, samples, timeDeltas }, count) {
  const placeOfNode = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]))
  const micros = new Map()
  for (const [index, id] of samples.entries()) {
    const place = placeOfNode.get(id)
    micros.set(place, (micros.get(place) ?? 0) + Math.max(0, timeDeltas[index]))
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
