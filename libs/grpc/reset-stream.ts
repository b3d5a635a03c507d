/**
 * The messages of grpc-js for a stream that was reset, broke during a write, or could not be started. Nothing else
 * distinguishes it: its status is that of an ordinary response. `reset-stream.test.ts` fails if an upgrade changes
 * them.
 */
const resetStream =
  /^(Received RST_STREAM with code|Call cancelled$|Bandwidth exhausted or memory limit|Write error:|Failed to start HTTP\/2 stream)/

/** Whether the details of a status are those of a broken stream, not of a response. */
export function isResetStream(details: string): boolean {
  return resetStream.test(details)
}
