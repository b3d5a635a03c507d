import { IncomingMessage, ServerResponse } from 'node:http'
import type { Express } from 'express'

/**
 * The classes that an HTTP server makes its requests and responses from, for an Express app. Their instances have from
 * birth the prototypes that Express gives to every message otherwise; changing that of a living object makes all of its
 * later use slow.
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
