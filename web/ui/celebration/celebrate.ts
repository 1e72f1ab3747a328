/** What has been reached: in a few words, and a sentence. */
export type Reached = { title: string; text: string }

/** Celebrates it above whatever screen is open, for a few seconds. What draws that is fetched for it. */
export async function celebrate(reached: Reached): Promise<void> {
  const { show } = await import('#web/ui/celebration/celebration.tsx')
  show(reached)
}
