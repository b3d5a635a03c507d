/** The driver enforces it, with a timer and a closure for each statement. */
export const enforceQueryTimeout = (client, timeoutMs) => {
  client.connectionParameters.query_timeout = timeoutMs
}
