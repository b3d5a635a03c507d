import { IncomingMessage, ServerResponse } from 'node:http'

/** Express changes the prototypes of every message. */
export const preparedMessages = () => ({ IncomingMessage, ServerResponse })
