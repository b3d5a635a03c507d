/** The request headers of a read whose response has an ETag, for the OpenAPI document. */
export const readConditions = {
  'If-Match': 'ETags; responds 412 unless one of them is current.',
  'If-None-Match': 'ETags you already have; responds 304 if one of them is current.',
}

/** The response to a client whose copy is current. It has the headers of a 200. */
export const notModified = { 304: { description: 'Not modified.' } }
