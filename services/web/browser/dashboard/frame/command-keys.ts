/** A key that was pressed, and when. */
export interface KeyPress {
  readonly key: string
  readonly atMs: number
}

/** The keys pressed so far that begin a command. */
export interface PressedKeys {
  readonly keys: string
  readonly atMs: number
}

/** No command has begun. */
export const noKeys: PressedKeys = { keys: '', atMs: 0 }

/** A second key that comes later begins anew. */
const pauseMsMax = 1_500

/** The command that these keys complete, the first of several, and what is then pressed. */
export function commandOf<Named extends { readonly keys?: string }>(
  commands: readonly Named[],
  before: PressedKeys,
  { key, atMs }: KeyPress,
): { readonly command: Named | null; readonly pressed: PressedKeys } {
  const isSecond = before.keys !== '' && atMs - before.atMs <= pauseMsMax
  for (const keys of isSecond ? [`${before.keys} ${key}`, key] : [key]) {
    const command = commands.find((one) => one.keys === keys)
    if (command !== undefined) return { command, pressed: noKeys }
    if (commands.some((one) => one.keys?.startsWith(`${keys} `)))
      return { command: null, pressed: { keys, atMs } }
  }
  return { command: null, pressed: noKeys }
}
