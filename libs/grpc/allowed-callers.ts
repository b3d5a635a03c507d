import { type ServerUnaryCall, status, type UntypedServiceImplementation } from '@grpc/grpc-js'
import type { Logger } from '../log/logger.js'
import { peerIdentity } from './peer-identity.js'

/** The processes that may call a method, by its name; under `each`, those that may call every method that is not named. */
export type AllowedCallers = Readonly<Partial<Record<string, readonly string[]>>>

/** The same for the methods of a definition; without `each`, a method that is not named may not be called at all. */
export type CallersOf<Definition> = Readonly<
  Partial<Record<(keyof Definition & string) | 'each', readonly string[]>>
>

type AnyCall = Pick<ServerUnaryCall<unknown, unknown>, 'getAuthContext' | 'getPath' | 'emit'>
type AnyCallback = (error: { code: status; details: string }) => void
type AnyHandler = (call: AnyCall, callback?: AnyCallback) => void

function callerOf(call: AnyCall): string | null {
  const certificate = call.getAuthContext().sslPeerCertificate
  return certificate === undefined ? null : peerIdentity(certificate)
}

function refuse(call: AnyCall, callback: AnyCallback | undefined, caller: string | null): void {
  const error =
    caller === null
      ? { code: status.UNAUTHENTICATED, details: 'the certificate names no process' }
      : { code: status.PERMISSION_DENIED, details: `${caller} may not call this` }
  if (callback === undefined) call.emit('error', Object.assign(new Error(error.details), error))
  else callback(error)
}

/** The same handlers, restricted to the allowed processes; other calls are denied and logged. */
export function onlyFor(
  callers: AllowedCallers,
  handlers: UntypedServiceImplementation,
  log: Logger,
): UntypedServiceImplementation {
  const guarded = ([method, handler]: [string, unknown]): [string, AnyHandler] => {
    const allowed = new Set(callers[method] ?? callers.each)
    return [
      method,
      (call, callback) => {
        const caller = callerOf(call)
        if (caller !== null && allowed.has(caller)) return (handler as AnyHandler)(call, callback)
        log.warn({ event: 'grpc_caller_denied', rpc: call.getPath(), caller }, 'gRPC caller denied')
        refuse(call, callback, caller)
      },
    ]
  }
  return Object.fromEntries(Object.entries(handlers).map(guarded)) as UntypedServiceImplementation
}
