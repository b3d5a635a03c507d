import type { IncomingMessage } from 'node:http'

const internal = [
  /^x-(user|owner|account|caller|internal|plan|role|auth|authenticated|snipkeep)(-|$)/,
  /^(grpc|snipkeep)-/,
  /-bin$/,
  /^(forwarded|x-forwarded(-.*)?|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip|via)$/,
  /^x-(original|rewrite)-/,
  /^x-(http-)?method(-override)?$/,
]

/** Whether a header looks like one that processes behind a gateway believe. Case and `_` for `-` make no difference. */
export function looksInternal(name: string): boolean {
  const plain = name.toLowerCase().replaceAll('_', '-')
  return internal.some((pattern) => pattern.test(plain))
}

/** Removes every header that looks internal, as if the client had never sent it. */
export function stripInternalHeaders(request: IncomingMessage): void {
  for (const name of Object.keys(request.headers)) {
    if (looksInternal(name)) delete request.headers[name]
  }
  const kept: string[] = []
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!looksInternal(name)) kept.push(name, value)
  }
  request.rawHeaders = kept
}
