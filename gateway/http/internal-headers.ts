import type { IncomingMessage } from 'node:http'
import { memoize } from '#libs/runtime/memoize.js'

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

/** Names repeat from request to request, and to match one takes longer than to find it. */
const namesMax = 1_000
const isInternal = memoize(namesMax, looksInternal)

/** Removes every header that looks internal, from every view of the request, as if the client had never sent it. */
export function stripInternalHeaders(request: IncomingMessage): void {
  const found = Object.keys(request.headers).filter(isInternal)
  if (found.length === 0) return
  // Node makes each view from the raw headers when it is first looked at, and counts on their number.
  const views = [request.headers, request.headersDistinct]
  for (const view of views) for (const name of found) delete view[name]
  const kept: string[] = []
  for (let index = 0; index + 1 < request.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(index, index + 2)
    if (!isInternal(name)) kept.push(name, value)
  }
  request.rawHeaders = kept
}
