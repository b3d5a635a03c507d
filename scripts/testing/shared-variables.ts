import type { ProcessVariables } from '../processes.js'

/** Each process has its own server, logins and addresses to call; the others belong to development and to components. */
const ownOfEach = /^(GRPC|DATABASE|REDIS|OTEL)_|_GRPC_TARGET$|_ALLOW_INSECURE$/

/** The variables on which several processes must agree, each with its readers. */
export function sharedVariables(
  processes: readonly ProcessVariables[],
): readonly (readonly [name: string, readers: readonly string[]])[] {
  const deployed = processes.filter(({ process }) => process !== 'npm start')
  const names = new Set(deployed.flatMap(({ variables }) => Object.keys(variables)))
  return [...names]
    .map((name) => [name, deployed.filter(({ variables }) => name in variables)] as const)
    .filter(([name, readers]) => readers.length > 1 && !ownOfEach.test(name))
    .map(([name, readers]) => [name, readers.map(({ process }) => process)] as const)
}
