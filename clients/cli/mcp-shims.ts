import nodeProcess from 'node:process'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'

// What the MCP library takes from its runtime. The build puts this file in the place of the library's own.

export const process = nodeProcess
/** A validator of schemas of a tenth the size of that for Node, which the library has for other runtimes. */
export const DefaultJsonSchemaValidator = CfWorkerJsonSchemaValidator
