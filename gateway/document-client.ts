import { streamOptions } from '#libs/grpc/client-options.js'
import { type ChannelTo, openClient } from '#libs/grpc/open-client.js'
import { bytesMessage, bytesOnlyField } from '#libs/grpc/zero-copy/bytes-field.js'
import {
  type DocumentServiceClient,
  DocumentServiceService,
} from '#proto/snipkeep/content/v1/document_service.js'

const { writeDocument, readDocument } = DocumentServiceService

/** The generated service, but written chunks are copied only once, and read chunks are views of the received bytes. */
export const rawDocumentService: typeof DocumentServiceService = {
  writeDocument: {
    ...writeDocument,
    requestSerialize: ({ part }) =>
      part?.$case === 'chunk' ? bytesMessage(2, part.value) : writeDocument.requestSerialize({ part }),
  },
  readDocument: {
    ...readDocument,
    responseDeserialize(message) {
      const chunk = bytesOnlyField(1, message)
      return chunk === null ? readDocument.responseDeserialize(message) : { chunk }
    },
  },
}

/**
 * The flow-control window of a document read. With HTTP/2's default of 64 KiB, both ends keep waiting for each other
 * and a download of 50 MB takes a seventh longer; beyond 512 KiB, a larger window saves at most another twelfth.
 * Different options also give the channel its own connection, so that small responses do not queue behind documents.
 */
const windowBytes = 1_572_864

export function openDocumentClient(to: ChannelTo): DocumentServiceClient {
  const options = { ...streamOptions(to.options), 'grpc-node.flow_control_window': windowBytes }
  return openClient(rawDocumentService, { ...to, options })
}
