/** Leaves the timeout to the driver, which needs a timer and a closure per statement. */
export const enforceQueryTimeout = (client, timeoutMs) => {
  client.connectionParameters.query_timeout = timeoutMs
}
