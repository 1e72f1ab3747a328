/** Why nobody is signed in any more: they left, nothing happened for too long, or the bank had ended the session. */
export type SignedOut = 'left' | 'idle' | 'ended'

/** What one tab of this browser tells the others, which share its session. */
export type Said = { type: 'signed_in'; email: string } | { type: 'signed_out'; because: SignedOut }

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('alder') : null

export function tellTabs(said: Said): void {
  // A channel reaches this origin alone and takes no other; the rule has windows in mind.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(said)
}

/** Answers the way to stop listening. */
export function onTabs(listener: (said: Said) => void): () => void {
  const hear = (message: MessageEvent<Said>): void => listener(message.data)
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
