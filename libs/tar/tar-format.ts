/** Headers take one block, and content is padded to whole blocks. */
export const blockBytes = 512

/** Why an archive cannot be read: it ends too early, or it is not what `readTar` accepts. */
export class TarError extends Error {
  readonly reason: 'truncated' | 'malformed'

  constructor(reason: TarError['reason'], message: string) {
    super(message)
    this.name = 'TarError'
    this.reason = reason
  }
}
