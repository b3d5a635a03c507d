/** The request headers of a read whose response has an ETag, for the OpenAPI document. */
export const readConditions = {
  'If-Match': 'ETags; responds 412 unless one of them is current.',
  'If-None-Match': 'ETags you already have; responds 304 if one of them is current.',
}

/** The same of a share, which never changes. */
export const shareConditions = {
  ...readConditions,
  'If-Modified-Since': 'A date; responds 304 if the share is no newer. Ignored with `If-None-Match`.',
}

/** The response to a client whose copy is current. It has the headers of a 200. */
export const notModified = { 304: { description: 'Not modified.' } }
