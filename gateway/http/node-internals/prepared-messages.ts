import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * Request and response classes whose instances have Express's prototypes from the start. Express would otherwise change
 * the prototype of every live object, which makes all later use of it slow.
 */
export function preparedMessages(app: Express): {
  readonly IncomingMessage: typeof IncomingMessage
  readonly ServerResponse: typeof ServerResponse
} {
  class PreparedRequest extends IncomingMessage {}
  class PreparedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {}
  Object.setPrototypeOf(PreparedRequest.prototype, app.request)
  Object.setPrototypeOf(PreparedResponse.prototype, app.response)
  Object.assign(app, { request: PreparedRequest.prototype, response: PreparedResponse.prototype })
  return { IncomingMessage: PreparedRequest, ServerResponse: PreparedResponse }
}
