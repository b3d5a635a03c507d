/** By what the subscription is kept. */
export const subscriptionKey = ['subscription'] as const
