/** Query key of the profile; invalidate it when usage or plan changes. */
export const profileKey = ['profile'] as const

/** Query key of all snippet lists. */
export const snippetsKey = ['snippets'] as const

/** Query key of single snippets. */
export function snippetKey(id: string): readonly [string, string] {
  return ['snippet', id]
}

/** Query key of the versions of a snippet. */
export function revisionsKey(id: string): readonly [string, string] {
  return ['revisions', id]
}

/** Query key of the contract of a snippet. */
export function contractKey(id: string): readonly [string, string] {
  return ['contract', id]
}

/** Query key of the checks of a snippet. */
export function checksKey(id: string): readonly [string, string] {
  return ['checks', id]
}

/** Query key of single checks. */
export function checkKey(id: string): readonly [string, string] {
  return ['check', id]
}

/** Query key of all share lists. */
export const sharesKey = ['shares'] as const

/** Query key of all history lists. */
export const historyKey = ['history'] as const

/** Query key of all event lists. */
export const eventsKey = ['events'] as const

/** Query key of the API keys. */
export const keysKey = ['keys'] as const

/** Query key of the trusted publishers. */
export const trustKey = ['trust'] as const

/** Query key of the subscription. */
export const subscriptionKey = ['subscription'] as const

/** Query key of everything that operators see. */
export const operatorKey = ['operator'] as const
