/** The reasons for the end of a session: the customer signed out, the session was idle for too long, or the server ended it. */
export type SignOutReason = 'left' | 'idle' | 'ended'

/** A message from one tab of this browser to the others, which share its session. */
export type TabMessage = { type: 'signed_in'; email: string } | { type: 'signed_out'; reason: SignOutReason }

const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('alder') : null

export function postToTabs(message: TabMessage): void {
  // A BroadcastChannel reaches only this origin and takes no target origin; the rule is about windows.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(message)
}

/** Calls `listener` for each message of another tab. Returns a function that unsubscribes. */
export function onTabMessage(listener: (message: TabMessage) => void): () => void {
  const onMessage = (message: MessageEvent<TabMessage>): void => listener(message.data)
  channel?.addEventListener('message', onMessage)
  return () => channel?.removeEventListener('message', onMessage)
}
