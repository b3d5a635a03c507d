interface Stage {
  readonly from: string
  readonly body: string
}

function readStages(dockerfile: string): ReadonlyMap<string, Stage> {
  const found = dockerfile.matchAll(/^FROM (\S+) AS (\S+)\n((?:(?!^FROM ).*\n?)*)/gm)
  return new Map([...found].map(([, from = '', name = '', body = '']) => [name, { from, body }]))
}

function assignmentsOf(body: string): readonly (readonly [name: string, value: string])[] {
  const lines = [...body.replaceAll('\\\n', ' ').matchAll(/^ENV (.*)$/gm)]
  return lines.flatMap(([, line = '']) =>
    [...line.matchAll(/(\w+)=(\S*)/g)].map(([, name = '', value = '']) => [name, value] as const),
  )
}

/** The variables that ENV sets in the image of a target, in its own stage and those it is based on. */
export function imageEnvironment(dockerfile: string, target: string): ReadonlyMap<string, string> {
  const stages = readStages(dockerfile)
  const stage = stages.get(target)
  if (stage === undefined) return new Map()
  return new Map([...imageEnvironment(dockerfile, stage.from), ...assignmentsOf(stage.body)])
}
