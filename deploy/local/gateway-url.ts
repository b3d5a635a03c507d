const wildcard = /^(0\.0\.0\.0|::)$/
const ofLocalhost = /^(127\.0\.0\.1|::1|localhost)$/

/** Whether `localhost` leads to a program that listens on `host`. */
function isLocalhost(host: string): boolean {
  return wildcard.test(host) || ofLocalhost.test(host)
}

/** All the hosts at which nobody else may have the port of the gateway. */
export function hostsOfGateway(host: string): readonly string[] {
  return isLocalhost(host) ? [host, 'localhost'] : [host]
}

function urlOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Where processes of this machine find the gateway, which listens on `host` alone. */
export function gatewayUrlOf(host: string, port: number): string {
  return urlOf(wildcard.test(host) ? '127.0.0.1' : host, port)
}

/** Where people of this machine find it: `localhost` wherever that leads there. */
export function localUrlOf(host: string, port: number): string {
  return urlOf(isLocalhost(host) ? 'localhost' : host, port)
}
