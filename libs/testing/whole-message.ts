interface Decodes<Message> {
  decode(bytes: Uint8Array): Message
}

/** A message with these fields, and the others as protobuf has them when they are not sent. */
export function wholeMessage<Message extends object>(
  type: Decodes<Message>,
  fields: Partial<Message>,
): Message {
  return { ...type.decode(new Uint8Array()), ...fields }
}
