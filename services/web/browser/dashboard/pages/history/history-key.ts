/** By what lists of history are kept; to be invalidated when entries go. */
export const historyKey = ['history'] as const
