/** The driver sees to it, with a timer and a closure for each statement. */
export const endWhenSilent = (pool, silenceMs) => {
  pool.options.query_timeout = silenceMs
}
