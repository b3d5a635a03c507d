/** What happens to shares in which secrets are found. */
export const secretPolicies = ['warn', 'refuse', 'off'] as const

/** One of them. */
export type SecretPolicy = (typeof secretPolicies)[number]
