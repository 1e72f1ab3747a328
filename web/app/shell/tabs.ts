import type { ComponentType } from 'react'
import { PUBLIC_PAGES } from '#contract/pages.ts'
import type { TabBarProps } from '#web/app/shell/tab-bar.tsx'
import { createObservable, useObservable } from '#web/lib/observable.ts'
import { paths } from '#web/lib/paths.ts'
import { readBreakpoint } from '#web/ui/breakpoint.ts'

const bar = createObservable<{ TabBar: ComponentType<TabBarProps> } | null>(() => null)

/** Returns the tab bar; null until its code has loaded. */
export const useTabBar = () => useObservable(bar)

/** Returns whether a screen has the tab bar. Identity verification has none, so that the customer is not distracted. */
export const hasTabs = (path: string): boolean => !PUBLIC_PAGES.has(path) && path !== paths.kyc

/** Loads the tab bar together with the code of a screen that has it, so that both appear together. */
export async function loadTabs(path: string): Promise<void> {
  if (bar.get() || !hasTabs(path) || readBreakpoint() !== 'column') return
  await import('#web/app/shell/tab-bar.tsx').then(bar.set, () => {})
}
