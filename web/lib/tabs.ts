/** Why nobody is signed in any more: they left, nothing happened for too long, or the bank had ended the session. */
export type SignOutReason = 'left' | 'idle' | 'ended'

/** What one tab of this browser tells the others, which share its session. */
export type TabMessage = { type: 'signed_in'; email: string } | { type: 'signed_out'; reason: SignOutReason }

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('alder') : null

export function postToTabs(message: TabMessage): void {
  // A channel reaches this origin alone and takes no other; the rule has windows in mind.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message)
}

/** Answers the way to stop listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const hear = (message: MessageEvent<TabMessage>): void => listener(message.data)
  channel?.addEventListener('message', hear)
  return () => channel?.removeEventListener('message', hear)
}
