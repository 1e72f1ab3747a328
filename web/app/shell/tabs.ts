import type { ComponentType } from 'react'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import type { TabBarProps } from '#web/app/shell/tab-bar.tsx'
import { observed, useObserved } from '#web/lib/observed.ts'
import { paths } from '#web/lib/paths.ts'
import { roomNow } from '#web/ui/room.ts'

const bar = observed<{ TabBar: ComponentType<TabBarProps> } | null>(() => null)

/** The tab bar; null until its code is there. */
export const useTabBar = () => useObserved(bar)

/** Who is about to show papers is not to be led away from them. */
export const hasTabs = (path: string): boolean => !PUBLIC_PAGES.has(path) && path !== paths.kyc

/** Brings the tab bar beside the code of a screen that has it, so that it is there with the screen. */
export async function loadTabs(path: string): Promise<void> {
  if (bar.get() || !hasTabs(path) || roomNow() !== 'column') return
  await import('#web/app/shell/tab-bar.tsx').then(bar.set, () => {})
}
