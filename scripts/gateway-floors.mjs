// The floors of the gateway: imports point down.

/** The floors of the gateway, from the ground up. */
export const floors = [
  'request',
  'auth',
  'rate-limits',
  'http',
  'body',
  'data',
  'pipeline',
  'features',
  'server',
]

/** Each floor imports itself and what is below it. */
export const floorsOfTheGateway = floors.slice(0, -1).map((floor, index) => ({
  name: `gateway-${floor}-imports-down`,
  comment: `What is above ${floor}: ${floors.slice(index + 1).join(', ')}.`,
  from: { path: `^gateway/${floor}/`, pathNot: '\\.test\\.ts$|/testing/' },
  to: { path: `^gateway/(${floors.slice(index + 1).join('|')}|(wire|config|main|doctor)\\.ts$)` },
}))
