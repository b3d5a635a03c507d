/** By what the API keys are kept; to be invalidated when they come or go. */
export const keysKey = ['keys'] as const
