import nodeProcess from 'node:process'
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server'
import { readSchemaDocuments } from '#engine/schema/schema-documents.js'
import { validateValue } from '#engine/schema/validate-value.js'

// What the MCP library takes from its runtime. The build puts this file in the place of the library's own.

export const process = nodeProcess

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value) ?? 'null')

/** Our own validator, which the tools have anyway. */
export class DefaultJsonSchemaValidator implements jsonSchemaValidator {
  getValidator<T>(schema: Parameters<jsonSchemaValidator['getValidator']>[0]): JsonSchemaValidator<T> {
    return (input) => {
      const documents = readSchemaDocuments(bytesOf(input), bytesOf(schema))
      const message = documents === null ? '' : validateValue(documents, 1).breaks[0]?.message
      return message === undefined
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: message }
    }
  }
}
