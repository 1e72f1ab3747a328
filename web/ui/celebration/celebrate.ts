import type { Reached } from '#web/ui/celebration/reached.ts'

/** Celebrates it above whatever screen is open, for a few seconds. What draws that is fetched for it. */
export async function celebrate(reached: Reached): Promise<void> {
  const { show } = await import('#web/ui/celebration/celebration.tsx')
  show(reached)
}
