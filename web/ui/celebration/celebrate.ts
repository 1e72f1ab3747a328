import type { CelebratedMilestone } from '#web/ui/celebration/milestone.ts'

/** Shows a celebration above the current screen for a few seconds. Its code is loaded on demand. */
export async function celebrate(reached: CelebratedMilestone): Promise<void> {
  const { showCelebration } = await import('#web/ui/celebration/celebration.tsx')
  showCelebration(reached)
}
