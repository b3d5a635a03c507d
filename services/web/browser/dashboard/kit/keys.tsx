/** Whether the keyboard calls its command key ⌘. */
export function isAppleKeyboard(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}

/** The keys of a command, one after the other, shown beside its name. Screen readers find them in the list of keys. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys" aria-hidden="true">
      {keys.split(' ').map((key, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: keys may repeat, and do not move
        <kbd key={place}>{/^[A-Z]$/.test(key) && keys.length === 1 ? `⇧${key}` : key}</kbd>
      ))}
    </span>
  )
}
