/** Why the session ended: the customer signed out, was idle for too long, or the server ended it. */
export type SignOutReason = 'left' | 'idle' | 'ended'

/** A message from one tab of this browser to the others, which share its session. */
export type TabMessage = { type: 'signed_in'; email: string } | { type: 'signed_out'; reason: SignOutReason }

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('alder') : null

export function postToTabs(message: TabMessage): void {
  // A channel reaches this origin alone and takes no other; the rule has windows in mind.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message)
}

/** Returns a function that stops listening. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const onMessage = (message: MessageEvent<TabMessage>): void => listener(message.data)
  channel?.addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}
