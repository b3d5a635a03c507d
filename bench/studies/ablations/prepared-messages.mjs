import { IncomingMessage, ServerResponse } from 'node:http'

/** Lets Express change the prototypes of every message. */
export const preparedMessages = () => ({ IncomingMessage, ServerResponse })
